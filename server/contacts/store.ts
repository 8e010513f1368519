import type { Contact, ContactFields } from '#contract/contacts.ts'
import { sql } from '#server/platform/database/database.ts'

/** What a person may write, and the keys that are kept beside it. */
export type ContactWrite = ContactFields & { phone_key: string; mobile_phone_key: string }

const writable = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'mobile_phone',
  'company',
  'title',
  'department',
  'mailing_street',
  'mailing_city',
  'mailing_state',
  'mailing_postal_code',
  'mailing_country',
  'reports_to_id',
  'lead_source',
  'description',
  'phone_key',
  'mobile_phone_key',
] as const satisfies (keyof ContactWrite)[]

const columns = `${writable.filter((column) => !column.endsWith('_key')).join(', ')},
  id, external_id, crm_connection_id, raw_data, created_at, updated_at, version,
  coalesce((select m.name from crm_contacts m where m.user_id = c.user_id and m.id = c.reports_to_id), '') as reports_to_name`

export async function findContact(owner: string, id: string): Promise<Contact | undefined> {
  const [contact] = await sql<Contact>(`select ${columns} from crm_contacts c where user_id = $1 and id = $2`, [owner, id])
  return contact
}

export type Match = { id: string; name: string; email: string; phone: string }

/** The contacts that the duplicate rule finds, ten at most. */
export async function findMatches(owner: string, contact: ContactWrite): Promise<Match[]> {
  const values: unknown[] = [owner]
  const matching = matchingContact(contact, (given) => `$${values.push(given)}`)
  return matching === '' ? [] : sql<Match>(`${matching} limit 10`, values)
}

export async function insertContact(owner: string, id: string, contact: ContactWrite): Promise<Contact | undefined> {
  const [row] = await sql<Contact>(
    `insert into crm_contacts as c (user_id, id, ${writable.join(', ')})
     values ($1, $2, ${writable.map((_, index) => `$${index + 3}`).join(', ')}) returning ${columns}`,
    [owner, id, ...writable.map((column) => contact[column])],
  )
  return row
}

/**
 * Inserts a contact unless the duplicate rule finds it; then answers nothing. Two that come in at once under one email or phone
 * wait for each other until the transaction ends.
 */
export async function insertUnlessHere(owner: string, id: string, contact: ContactWrite): Promise<Contact | undefined> {
  const values: unknown[] = [owner, id, ...writable.map((column) => contact[column])]
  const matching = matchingContact(contact, (given) => `$${values.push(given)}`)
  if (matching === '') return insertContact(owner, id, contact)
  const keys = [contact.email.toLowerCase(), contact.phone_key, contact.mobile_phone_key].filter((key) => key !== '')
  // started together they travel together; the second sees all that was committed until the first had its locks
  const [, [row]] = await Promise.all([
    sql('select pg_advisory_xact_lock(hashtextextended(key, 0)) from (select distinct unnest($1::text[]) as key order by 1) keys', [
      keys.map((key) => `${owner} ${key}`),
    ]),
    sql<Contact>(
      `insert into crm_contacts as c (user_id, id, ${writable.join(', ')})
       select $1, $2, ${writable.map((_, index) => `$${index + 3}`).join(', ')} where not exists (${matching}) returning ${columns}`,
      values,
    ),
  ])
  return row
}

/**
 * The duplicate rule: the same email; or the same phone, where one side has no email and the names do not contradict.
 * Asks only for what the contact has: a condition that depends on a value would be planned anew for each. Empty when it has neither.
 */
function matchingContact(contact: ContactWrite, value: (given: string) => string): string {
  const email = contact.email.toLowerCase()
  const conditions = email === '' ? [] : [`email_key = ${value(email)}`]
  for (const column of ['phone_key', 'mobile_phone_key'] as const) {
    if (contact[column] === '') continue
    const name = value(`${contact.first_name} ${contact.last_name}`.trim())
    const samePerson = `${email && "email_key = '' and "}(name = '' or lower(name) = lower(${name}))`
    conditions.push(`${column} = ${value(contact[column])} and ${column} <> '' and ${samePerson}`)
  }
  return conditions
    .map((condition) => `select id, name, email, phone from crm_contacts where user_id = $1 and ${condition}`)
    .join(' union ')
}

/** Changes what the patch names. With a version: only on top of it, and nothing when the row has moved on. */
export async function updateContact(
  owner: string,
  id: string,
  patch: Partial<ContactWrite>,
  version?: number,
): Promise<Contact | undefined> {
  const [row] = await sql<Contact>(
    `update crm_contacts c set (${writable.join(', ')}) =
       (select ${writable.map((column) => `wanted.${column}`).join(', ')} from jsonb_populate_record(c, $3) wanted)
     where user_id = $1 and id = $2 and ($4::int is null or version = $4) returning ${columns}`,
    [owner, id, JSON.stringify(patch), version ?? null],
  )
  return row
}

/** Deletes those that are there; answers how many. */
export async function deleteContacts(owner: string, ids: string[]): Promise<number> {
  const rows = await sql('delete from crm_contacts where user_id = $1 and id = any($2) returning id', [owner, ids])
  return rows.length
}
