import { emptyContact, type ContactFields } from '#contract/contacts.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { readSelection } from '#server/platform/records/export.ts'
import type { Selection } from '#server/platform/records/bulk.ts'
import { contacts } from './kind.ts'

type Line = ContactFields & { id: string }

/** Generates vCards of the selected contacts in version 3.0 (RFC 2426), which every address book can read. */
export async function* vcardsOf(database: Database, caller: Caller, selection: Selection & { now: Date }): AsyncGenerator<string> {
  const request = { ...selection, sort: 'name', order: 'asc' } as const
  const shown = Object.keys(emptyContact).map((column) => `c.${column}`)
  for await (const rows of readSelection<Line>(contacts, database, caller, request, shown)) yield rows.map(vcardOf).join('')
}

function vcardOf(contact: Line): string {
  const { first_name, last_name, email, phone, mobile_phone, company, title, department, description, tags } = contact
  const { mailing_street, mailing_city, mailing_state, mailing_postal_code, mailing_country } = contact
  const address = ['', '', mailing_street, mailing_city, mailing_state, mailing_postal_code, mailing_country]
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `UID:urn:uuid:${contact.id}`,
    `N:${parts(last_name, first_name, '', '', '')}`,
    `FN:${escaped(`${first_name} ${last_name}`.trim())}`,
    email && `EMAIL;TYPE=INTERNET:${escaped(email)}`,
    phone && `TEL;TYPE=WORK,VOICE:${escaped(phone)}`,
    mobile_phone && `TEL;TYPE=CELL:${escaped(mobile_phone)}`,
    (company || department) && `ORG:${department ? parts(company, department) : escaped(company)}`,
    title && `TITLE:${escaped(title)}`,
    address.some((part) => part !== '') && `ADR;TYPE=WORK:${parts(...address)}`,
    description && `NOTE:${escaped(description)}`,
    tags.length > 0 && `CATEGORIES:${tags.map(escaped).join(',')}`,
    'END:VCARD',
  ]
  return lines.map((line) => (line ? folded(line) : '')).join('')
}

const parts = (...values: string[]): string => values.map(escaped).join(';')

const escaped = (text: string): string => text.replaceAll(/[\\;,]/g, '\\$&').replaceAll(/\r\n|\r|\n/g, '\\n')

const maxLineBytes = 75

/** Folds a long line: continues it on the next line after a space, without splitting a character. */
function folded(line: string): string {
  const lines: string[] = []
  let start = 0
  let bytes = 0
  for (let at = 0; at < line.length;) {
    const character = line.codePointAt(at) ?? 0
    const size = bytesOf(character)
    if (bytes + size > maxLineBytes) {
      lines.push(line.slice(start, at))
      start = at
      bytes = 1 // the leading space
    }
    bytes += size
    at += character > 0xffff ? 2 : 1
  }
  return `${[...lines, line.slice(start)].join('\r\n ')}\r\n`
}

/** Returns the number of bytes of a code point in UTF-8. */
function bytesOf(codePoint: number): number {
  if (codePoint < 0x80) return 1
  if (codePoint < 0x800) return 2
  return codePoint > 0xffff ? 4 : 3
}
