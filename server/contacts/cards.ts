// Exports contacts as vCards, the format of address books.
import { emptyContact, type ContactFields } from '#contract/contacts.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { readSelection } from '#server/platform/records/export.ts'
import type { Selection } from '#server/platform/records/bulk.ts'
import { contacts } from './kind.ts'

type CardRow = ContactFields & { id: string }

/** Generates vCards of the selected contacts in version 3.0 (RFC 2426), which every address book can read. */
export async function* vcardsOf(database: Database, caller: Caller, selection: Selection & { now: Date }): AsyncGenerator<string> {
  const request = { ...selection, sort: 'name', order: 'asc' } as const
  const columns = Object.keys(emptyContact).map((column) => `c.${column}`)
  for await (const rows of readSelection<CardRow>(contacts, database, caller, request, columns)) yield rows.map(formatCard).join('')
}

function formatCard(contact: CardRow): string {
  const { first_name, last_name, email, phone, mobile_phone, company, title, department, description, tags } = contact
  const { mailing_street, mailing_city, mailing_state, mailing_postal_code, mailing_country } = contact
  // a vCard address starts with a post office box and an extended address, which contacts do not have
  const address = ['', '', mailing_street, mailing_city, mailing_state, mailing_postal_code, mailing_country]
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `UID:urn:uuid:${contact.id}`,
    `N:${joinParts(last_name, first_name, '', '', '')}`,
    `FN:${escapeText(`${first_name} ${last_name}`.trim())}`,
    email && `EMAIL;TYPE=INTERNET:${escapeText(email)}`,
    phone && `TEL;TYPE=WORK,VOICE:${escapeText(phone)}`,
    mobile_phone && `TEL;TYPE=CELL:${escapeText(mobile_phone)}`,
    (company || department) && `ORG:${department ? joinParts(company, department) : escapeText(company)}`,
    title && `TITLE:${escapeText(title)}`,
    address.some((part) => part !== '') && `ADR;TYPE=WORK:${joinParts(...address)}`,
    description && `NOTE:${escapeText(description)}`,
    tags.length > 0 && `CATEGORIES:${tags.map(escapeText).join(',')}`,
    'END:VCARD',
  ]
  return lines.map((line) => (line ? foldLine(line) : '')).join('')
}

const joinParts = (...values: string[]): string => values.map(escapeText).join(';')

/** Escapes a value. Removes control characters, which the format forbids; address books refuse a whole file because of one of them. */
function escapeText(text: string): string {
  const escaped = text.replaceAll(/[\\;,]/g, '\\$&').replaceAll(/\r\n|\r|\n/g, '\\n')
  return escaped.replaceAll(/(?!\t)\p{Cc}/gu, '') // a tab is allowed
}

/** RFC 2426 recommends lines of at most 75 bytes. */
const maxLineBytes = 75

/** Folds a long line: continues it on the next line after a space, without splitting a character. Adds the line end. */
function foldLine(line: string): string {
  const lines: string[] = []
  let start = 0
  let bytes = 0
  let index = 0
  while (index < line.length) {
    const codePoint = line.codePointAt(index) ?? 0
    const size = countBytes(codePoint)
    if (bytes + size > maxLineBytes) {
      lines.push(line.slice(start, index))
      start = index
      bytes = 1 // the leading space
    }
    bytes += size
    index += codePoint > 0xffff ? 2 : 1 // larger code points are two UTF-16 units of a JavaScript string
  }
  return `${[...lines, line.slice(start)].join('\r\n ')}\r\n`
}

/** Returns the number of bytes of a code point in UTF-8. */
function countBytes(codePoint: number): number {
  if (codePoint < 0x80) return 1
  if (codePoint < 0x800) return 2
  return codePoint > 0xffff ? 4 : 3
}
