// The duplicate rule: two contacts are the same person when they have the same email; or the same phone, if one of them has no email and
// their names are equal or one name is empty.
import { sql } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/batch.ts'
import type { Fields, RecordKind } from '#server/platform/records/kind.ts'
import { insertRow } from '#server/platform/records/rows.ts'

export type Match = { id: string; name: string; email: string; phone: string }

export const phoneKeys = ['phone_key', 'mobile_phone_key'] as const

/** The values that the rule compares, '' for a missing one. Email and name are in lower case. */
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

/** The rule for two contacts of a list. `matchesSql` is the same rule for contacts in the table. */
export function isDuplicate(one: Identity, other: Identity): boolean {
  if (one.email_key !== '' && one.email_key === other.email_key) return true
  const isSamePhone = phoneKeys.some((column) => one[column] !== '' && one[column] === other[column])
  if (!isSamePhone || (one.email_key !== '' && other.email_key !== '')) return false
  return one.name === '' || other.name === '' || one.name === other.name
}

/**
 * Returns the rule as an SQL condition on the row `c`, for a contact whose values are these SQL expressions. Missing values are empty.
 * `hasNoEmail` is SQL: whether the contact or the row has no email. Returns undefined for a contact with neither an email nor a phone.
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

/** Returns at most ten duplicates of a contact. */
export async function findDuplicates(owner: string, columns: Fields): Promise<Match[]> {
  const values: unknown[] = [owner]
  const matches = matchesOf(identityOf(columns), values)
  return matches === undefined ? [] : sql<Match>(`select distinct * from (${matches}) c limit 10`, values)
}

/** Inserts a contact. Returns undefined if it has a duplicate. Only one of several simultaneous contacts with one email or phone is inserted. */
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
  // sent in one round trip; the second statement sees everything that was committed before the first one got its locks
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

/** Returns only the conditions for which the contact has values, because PostgreSQL would plan a condition on a parameter's value each time. */
function matchesOf({ name, ...keys }: Identity, values: unknown[]): string | undefined {
  const bind = (value: string): string => `$${values.push(value)}::text`
  const present = Object.entries(keys).filter(([, value]) => value !== '')
  const hasPhone = present.some(([column]) => column !== 'email_key')
  const given = Object.fromEntries(present.map(([column, value]) => [column, bind(value)]))
  const hasNoEmail = keys.email_key === '' ? 'true' : "c.email_key = ''"
  return matchesSql({ ...given, ...(hasPhone && name !== '' && { name: bind(name) }) }, hasNoEmail)
}

/** The number of lock keys to which the emails and phones of an owner are mapped, so that a list of any length takes a bounded number of locks. */
const lockParts = 256

/** Blocks other transactions that add a contact with one of these emails or phones. Takes the locks in a fixed order, which avoids deadlocks. */
export function lockIdentities(owner: string, identities: readonly Identity[]): Promise<unknown> {
  const keys = identities.flatMap(({ email_key, phone_key, mobile_phone_key }) => [email_key, phone_key, mobile_phone_key])
  return sql(
    `select pg_advisory_xact_lock(hashtextextended($1 || ' contact ' || part, 0))
     from (select distinct abs(hashtext(key) % ${lockParts}) as part from unnest($2::text[]) key order by 1) parts`,
    [owner, [...new Set(keys)].filter((key) => key !== '')],
  )
}
