// The connector of Insightly, API v3.1 (https://api.insightly.com/v3.1/Help).
import * as z from 'zod/mini'
import { ContactFields } from '#contract/contacts.ts'
import { tagLimits, Tags } from '#contract/fields.ts'
import { toStorableText } from '#server/platform/database/storable.ts'
import type { CrmClient } from './client.ts'
import type { Connector, RemoteContact } from './connector.ts'
import { CrmFailure } from './failure.ts'

/** The largest page that Insightly sends. */
const pageSize = 500
/** More organisations than any account has. A list that never ends must not fill the memory. */
const maxOrganisations = 500_000

/** The maximum length of `external_id`. The ids of Insightly are numbers. */
const maxIdLength = 200

type Row = Record<string, unknown>
const Rows = z.array(z.unknown())
const Row = z.record(z.string(), z.unknown())

export const insightly: Connector = {
  domain: 'insightly.com',
  authorize: (key) => `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
  check: async (client) => {
    if (!Row.safeParse(await client.get('/Users/Me')).success) throw new CrmFailure('unusable')
  },
  readCompanyNames: async (client) => {
    const names = new Map<string, string>()
    for (let skip = 0; ; skip += pageSize) {
      const rows = await readRows(client, '/Organisations', { top: String(pageSize), skip: String(skip), brief: 'true' })
      for (const row of rows.flatMap(toRow)) {
        const id = toText(row['ORGANISATION_ID'])
        if (id !== '') names.set(id, toText(row['ORGANISATION_NAME']))
      }
      if (rows.length < pageSize) return names
      if (skip > maxOrganisations) throw new CrmFailure('endless')
    }
  },
  readContacts: async (client, { skip, changedSince, companyNames }) => {
    const query = { top: String(pageSize), skip: String(skip) }
    const rows = changedSince
      ? await readRows(client, '/Contacts/Search', { ...query, updated_after_utc: `${changedSince.toISOString().slice(0, 19)}Z` })
      : await readRows(client, '/Contacts', query)
    return { rows: rows.map((row) => toContact(row, companyNames)), isLast: rows.length < pageSize }
  },
}

async function readRows(client: CrmClient, path: string, query: Record<string, string>): Promise<unknown[]> {
  const rows = Rows.safeParse(await client.get(path, query))
  if (!rows.success) throw new CrmFailure('unusable')
  return rows.data
}

const toRow = (value: unknown): Row[] => {
  const row = Row.safeParse(value)
  return row.success ? [row.data] : []
}

/** For each field of Foyer the fields of Insightly; the first of these that has a value is used. */
const sources = {
  first_name: ['FIRST_NAME'],
  last_name: ['LAST_NAME'],
  email: ['EMAIL_ADDRESS'],
  phone: ['PHONE', 'PHONE_HOME', 'PHONE_OTHER'],
  mobile_phone: ['PHONE_MOBILE'],
  title: ['TITLE'],
  mailing_street: ['ADDRESS_MAIL_STREET'],
  mailing_city: ['ADDRESS_MAIL_CITY'],
  mailing_state: ['ADDRESS_MAIL_STATE'],
  mailing_postal_code: ['ADDRESS_MAIL_POSTCODE'],
  mailing_country: ['ADDRESS_MAIL_COUNTRY'],
  description: ['BACKGROUND'],
} as const

/**
 * Fields that `readDetails` does not copy one to one: ids of Insightly, the address of a picture, which changes, and fields that are read in
 * another way.
 */
const namesOutsideDetails = new Set([
  'CONTACT_ID',
  'OWNER_USER_ID',
  'CREATED_USER_ID',
  'IMAGE_URL',
  'ORGANISATION_ID',
  'CUSTOMFIELDS',
  'TAGS',
  'DATES',
  'LINKS',
])

/** Returns undefined for a value that is not a row with an id. */
function toContact(value: unknown, companyNames: ReadonlyMap<string, string>): RemoteContact | undefined {
  const [row] = toRow(value)
  const id = toText(row?.['CONTACT_ID'])
  if (!row || id === '' || id.length > maxIdLength) return undefined
  const contact: RemoteContact = { id, fields: {}, tags: [], details: {} }
  const namesToLeaveOut = new Set(namesOutsideDetails)
  for (const [field, names] of Object.entries(sources)) {
    const name = names.find((each) => toText(row[each]) !== '')
    if (name === undefined) continue
    const parsed = z.safeParse(ContactFields.shape[toFieldName(field)], toText(row[name]))
    if (!parsed.success) continue // such as an invalid email; it stays among the details
    Object.assign(contact.fields, { [field]: parsed.data })
    namesToLeaveOut.add(name)
  }
  const organisation = toText(row['ORGANISATION_ID'])
  const company = z.safeParse(ContactFields.shape.company, companyNames.get(organisation) ?? '')
  if (company.success && company.data !== '') contact.fields.company = company.data
  contact.tags = readTags(row['TAGS'])
  contact.details = readDetails(row, namesToLeaveOut)
  return contact
}

const isFieldName = (name: string): name is keyof typeof sources => name in sources
function toFieldName(name: string): keyof typeof sources {
  if (!isFieldName(name)) throw new Error(`${name} is no field`)
  return name
}

/** Returns the tags that Foyer can store. */
function readTags(value: unknown): string[] {
  const names = toList(value).map((tag) => toText(tag['TAG_NAME']))
  return names.flatMap((name) => z.safeParse(Tags, [name]).data ?? []).slice(0, tagLimits.count)
}

/** Returns the values that have no field, by their labels. `namesToLeaveOut`: fields of Insightly that are not copied one to one. */
function readDetails(row: Row, namesToLeaveOut: ReadonlySet<string>): Record<string, string> {
  const entries = Object.entries(row).flatMap(([name, value]) =>
    namesToLeaveOut.has(name) ? [] : [[toLabel(name), toText(value)] as const],
  )
  const custom = toList(row['CUSTOMFIELDS']).map((field) => [toLabel(toText(field['FIELD_NAME'])), toText(field['FIELD_VALUE'])] as const)
  const dates = toList(row['DATES']).map((date) => [toText(date['OCCASION_NAME']) || 'Date', toText(date['OCCASION_DATE'])] as const)
  const links = toList(row['LINKS']).map((link) =>
    [toText(link['LINK_OBJECT_NAME']), toText(link['LINK_OBJECT_ID']), toText(link['ROLE'])].filter((part) => part !== '').join(' '),
  )
  const all = [...entries, ...custom, ...dates, ['Links', links.filter((link) => link !== '').join('; ')] as const]
  return Object.fromEntries(all.filter(([label, value]) => label !== '' && value !== ''))
}

const toList = (value: unknown): Row[] => (Array.isArray(value) ? value.flatMap(toRow) : [])

/** Returns a label such as "Phone home" for PHONE_HOME and "Shoe size" for the custom field Shoe_Size__c. */
function toLabel(name: string): string {
  const words = name.replace(/__c$/, '').replaceAll(/_+/g, ' ').trim().replace(/ UTC$/, '')
  return (words.slice(0, 1).toUpperCase() + words.slice(1, 100).toLowerCase()).toWellFormed()
}

/** Returns a value as text that can be stored. A date of zeros means that there is no date. */
function toText(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const storable = toStorableText(text.trim().slice(0, 20_000))
  return storable.startsWith('0000-00-00') ? '' : storable
}
