// The duplicate rule: two contacts are one person when they have the same email; or the same phone, where one of them has no email and
// their names are equal or one is empty.
import { sql } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/batch.ts'
import type { Fields, RecordKind } from '#server/platform/records/kind.ts'
import { insertRow } from '#server/platform/records/rows.ts'

export type Match = { id: string; name: string; email: string; phone: string }

export const phoneKeys = ['phone_key', 'mobile_phone_key'] as const

/** The values that the rule compares; '' where there is none. Email and name are in lower case. */
export type Identity = Record<'email_key' | 'name' | (typeof phoneKeys)[number], string>

export function identityOf(columns: Fields): Identity {
  const text = (name: string): string => {
    const value = columns[name]
    return typeof value === 'string' ? value : ''
  }
  return {
    email_key: text('email').trim().toLowerCase(),
    name: `${text('first_name')} ${text('last_name')}`.trim().toLowerCase(),
    phone_key: text('phone_key'),
    mobile_phone_key: text('mobile_phone_key'),
  }
}

/** The rule for two contacts of one list; `matchesSql` is the same for a contact of the table. */
export function isDuplicate(one: Identity, other: Identity): boolean {
  if (one.email_key !== '' && one.email_key === other.email_key) return true
  const isSamePhone = phoneKeys.some((column) => one[column] !== '' && one[column] === other[column])
  if (!isSamePhone || (one.email_key !== '' && other.email_key !== '')) return false
  return one.name === '' || other.name === '' || one.name === other.name
}

/**
 * The rule as SQL: the duplicates in the table of a contact whose values are these SQL expressions. Values that are left out are empty.
 * `hasNoEmail` tells whether the contact or the row `c` has none. Undefined when the contact has neither an email nor a phone.
 */
export function matchesSql(given: Partial<Identity>, hasNoEmail: string): string | undefined {
  const { email_key: email, name } = given
  const conditions = email === undefined ? [] : [`c.email_key = ${email} and ${email} <> ''`]
  const isNameCompatible = name === undefined ? 'true' : `(c.name = '' or ${name} = '' or lower(c.name) = ${name})`
  for (const column of phoneKeys)
    if (given[column] !== undefined)
      conditions.push(`c.${column} = ${given[column]} and c.${column} <> '' and ${hasNoEmail} and ${isNameCompatible}`)
  if (conditions.length === 0) return undefined
  return conditions
    .map((condition) => `select id, name, email, phone from crm_contacts c where c.user_id = $1 and ${condition}`)
    .join(' union all ')
}

/** The duplicates of a contact, ten at most. */
export async function findDuplicates(owner: string, columns: Fields): Promise<Match[]> {
  const values: unknown[] = [owner]
  const matches = matchesOf(identityOf(columns), values)
  return matches === undefined ? [] : sql<Match>(`select distinct * from (${matches}) c limit 10`, values)
}

/** Inserts a contact unless it has a duplicate; answers nothing then. Of several at once under one email or phone one is inserted. */
export async function insertUnlessDuplicate<R extends Row>(
  kind: RecordKind,
  owner: string,
  id: string,
  columns: Fields,
): Promise<R | undefined> {
  const identity = identityOf(columns)
  const values: unknown[] = [owner, id, ...Object.values(columns)]
  const matches = matchesOf(identity, values)
  if (matches === undefined) return insertRow<R>(kind, owner, id, columns)
  const names = Object.keys(columns)
  // started together they are one round trip; the second statement sees everything committed before the first had its locks
  const [, [row]] = await Promise.all([
    lockIdentities(owner, [identity]),
    sql<R>(
      `insert into crm_contacts as c (user_id, id, ${names.join(', ')})
       select $1, $2, ${names.map((_, index) => `$${index + 3}`).join(', ')} where not exists (${matches})
       returning ${kind.columns}`,
      values,
    ),
  ])
  return row
}

/** Only the conditions that the contact has values for, because PostgreSQL would plan a condition on a value again each time. */
function matchesOf({ name, ...keys }: Identity, values: unknown[]): string | undefined {
  const bind = (value: string): string => `$${values.push(value)}::text`
  const present = Object.entries(keys).filter(([, value]) => value !== '')
  const hasPhone = present.some(([column]) => column !== 'email_key')
  const given = Object.fromEntries(present.map(([column, value]) => [column, bind(value)]))
  const hasNoEmail = keys.email_key === '' ? 'true' : "c.email_key = ''"
  return matchesSql({ ...given, ...(hasPhone && name !== '' && { name: bind(name) }) }, hasNoEmail)
}

/** The transactions of one owner lock a part of all emails and phones, so that a list of any length takes a bounded number of locks. */
const lockParts = 256

/** Lets other transactions wait that add a contact with one of these emails or phones. All take their locks in the same order. */
export function lockIdentities(owner: string, identities: readonly Identity[]): Promise<unknown> {
  const keys = identities.flatMap(({ email_key, phone_key, mobile_phone_key }) => [email_key, phone_key, mobile_phone_key])
  return sql(
    `select pg_advisory_xact_lock(hashtextextended($1 || ' contact ' || part, 0))
     from (select distinct abs(hashtext(key) % ${lockParts}) as part from unnest($2::text[]) key order by 1) parts`,
    [owner, [...new Set(keys)].filter((key) => key !== '')],
  )
}
