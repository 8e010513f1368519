import type { Contact } from '#contract/contacts.ts'
import { sql } from '#server/platform/database/database.ts'
import { insertRecord } from '#server/platform/records/rows.ts'
import { contacts, type ContactWrite } from './kind.ts'

export type Match = { id: string; name: string; email: string; phone: string }

/** The contacts that the duplicate rule finds, ten at most. */
export async function findMatches(owner: string, contact: ContactWrite): Promise<Match[]> {
  const values: unknown[] = [owner]
  const matching = matchingContact(contact, (given) => `$${values.push(given)}`)
  return matching === '' ? [] : sql<Match>(`${matching} limit 10`, values)
}

/**
 * Inserts a contact unless the duplicate rule finds it; then answers nothing. Two that come in at once under one email or phone
 * wait for each other until the transaction ends.
 */
export async function insertUnlessHere(owner: string, id: string, contact: ContactWrite): Promise<Contact | undefined> {
  const values: unknown[] = [owner, id, ...Object.values(contact)]
  const matching = matchingContact(contact, (given) => `$${values.push(given)}`)
  if (matching === '') return insertRecord<Contact>(contacts, owner, id, contact)
  const keys = [contact.email.toLowerCase(), contact.phone_key, contact.mobile_phone_key].filter((key) => key !== '')
  // started together they travel together; the second sees all that was committed until the first had its locks
  const [, [row]] = await Promise.all([
    sql('select pg_advisory_xact_lock(hashtextextended(key, 0)) from (select distinct unnest($1::text[]) as key order by 1) keys', [
      keys.map((key) => `${owner} ${key}`),
    ]),
    sql<Contact>(
      `insert into crm_contacts as c (user_id, id, ${Object.keys(contact).join(', ')})
       select $1, $2, ${Object.keys(contact)
         .map((_, index) => `$${index + 3}`)
         .join(', ')} where not exists (${matching})
       returning ${contacts.columns}`,
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
