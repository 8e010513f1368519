// The duplicate rule: two contacts are the same person when they have the same email. They are also the same person when they have the same
// phone, one of them has no email, and their names are equal or one name is empty.
import { sql } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/batch.ts'
import type { Fields, RecordKind } from '#server/platform/records/kind.ts'
import { insertRow, toInsertedValuesSql } from '#server/platform/records/rows.ts'

export type Duplicate = { id: string; name: string; email: string; phone: string }

/** The columns with the phone numbers in the international format E.164. */
export const phoneKeyColumns = ['phone_key', 'mobile_phone_key'] as const

/** The values of a contact that the rule compares, without regard to case. The text is empty if the contact has no such value. */
export type MatchKeys = Record<'email_key' | 'name' | (typeof phoneKeyColumns)[number], string>

export function matchKeysOf(columns: Fields): MatchKeys {
  const text = (name: string): string => {
    const value = columns[name]
    return typeof value === 'string' ? value : ''
  }
  return {
    email_key: text('email').trim(),
    name: `${text('first_name')} ${text('last_name')}`.trim(),
    phone_key: text('phone_key'),
    mobile_phone_key: text('mobile_phone_key'),
  }
}

/**
 * Returns the emails and names of contacts in lower case, in the order of the contacts. The database converts them, because PostgreSQL and
 * JavaScript convert letters such as the Greek sigma differently, and the rule compares them with the table. For the letters of ASCII they
 * agree, so a list with no other letters needs no statement.
 */
export async function readLowerCaseKeys(contacts: readonly Fields[]): Promise<Pick<MatchKeys, 'email_key' | 'name'>[]> {
  const keys = contacts.map(matchKeysOf)
  if (keys.every(({ email_key: email, name }) => isAscii(email) && isAscii(name)))
    return keys.map(({ email_key: email, name }) => ({ email_key: email.toLowerCase(), name: name.toLowerCase() }))
  return sql(
    `select lower(email) as email_key, lower(name) as name
     from unnest($1::text[], $2::text[]) with ordinality keys (email, name, position) order by position`,
    [keys.map(({ email_key }) => email_key), keys.map(({ name }) => name)],
  )
}

const isAscii = (text: string): boolean => /^[ -~]*$/.test(text)

/**
 * Whether two contacts are duplicates. Their keys are in lower case. `duplicatesSql` is the same rule in SQL, for contacts in the table.
 */
export function isDuplicate(one: MatchKeys, other: MatchKeys): boolean {
  if (one.email_key !== '' && one.email_key === other.email_key) return true
  const isSamePhone = phoneKeyColumns.some((column) => one[column] !== '' && one[column] === other[column])
  if (!isSamePhone || (one.email_key !== '' && other.email_key !== '')) return false
  return one.name === '' || other.name === '' || one.name === other.name
}

/**
 * Returns an SQL query for the duplicates of a contact. `keys` are SQL expressions for the values of the contact in lower case; an omitted
 * value is empty. `noEmailCondition` is an SQL condition for two contacts with the same phone: one of them has no email. Returns undefined
 * for a contact without email and phone, which has no duplicates.
 */
function duplicatesSql(keys: Partial<MatchKeys>, noEmailCondition: string): string | undefined {
  const { email_key: email, name } = keys
  const conditions = email === undefined ? [] : [`c.email_key = ${email} and ${email} <> ''`]
  const nameCondition = name === undefined ? 'true' : `(c.name = '' or ${name} = '' or lower(c.name) = ${name})`
  for (const column of phoneKeyColumns) {
    const phone = keys[column]
    if (phone === undefined) continue
    conditions.push(`c.${column} = ${phone} and c.${column} <> '' and ${noEmailCondition} and ${nameCondition}`)
  }
  if (conditions.length === 0) return undefined
  return conditions
    .map((condition) => `select id, name, email, phone from crm_contacts c where c.user_id = $1 and ${condition}`)
    .join(' union all ')
}

/** Returns at most ten duplicates of a contact. */
export async function findDuplicates(owner: string, columns: Fields): Promise<Duplicate[]> {
  const values: unknown[] = [owner]
  const duplicates = bindDuplicatesSql(matchKeysOf(columns), values)
  return duplicates === undefined ? [] : sql<Duplicate>(`select distinct * from (${duplicates}) c limit 10`, values)
}

/**
 * Inserts a contact. Returns undefined if it has a duplicate. If several requests insert contacts with the same email or phone at the same
 * time, only one of them succeeds.
 */
export async function insertUnlessDuplicate<R extends Row>(
  kind: RecordKind,
  owner: string,
  id: string,
  columns: Fields,
): Promise<R | undefined> {
  const keys = matchKeysOf(columns)
  const values: unknown[] = [owner, id, ...Object.values(columns)]
  const duplicates = bindDuplicatesSql(keys, values)
  if (duplicates === undefined) return insertRow<R>(kind, owner, id, columns)
  const names = Object.keys(columns)
  // both statements are sent in one round trip; the insert starts after the locks are taken, so it sees all contacts committed before that
  const [, [row]] = await Promise.all([
    lockMatchKeys(owner, [keys]),
    sql<R>(
      `insert into crm_contacts as c (user_id, id, ${names.join(', ')})
       select $1, $2, ${toInsertedValuesSql(kind, columns)} where not exists (${duplicates})
       returning ${kind.columns}`,
      values,
    ),
  ])
  return row
}

/**
 * Adds the values of the contact to `values` and returns the query for its duplicates. Leaves out the conditions for which the contact has
 * no value: with conditions that hold only for some values of a parameter, PostgreSQL would make a new plan at each execution.
 */
function bindDuplicatesSql({ name, ...keys }: MatchKeys, values: unknown[]): string | undefined {
  const bind = (value: string): string => `$${values.push(value)}::text` // `push` returns the number of the new parameter
  const nonEmptyKeys = Object.entries(keys).filter(([, value]) => value !== '')
  const hasPhone = nonEmptyKeys.some(([column]) => column !== 'email_key')
  const expressions: Partial<MatchKeys> = Object.fromEntries(nonEmptyKeys.map(([column, value]) => [column, `lower(${bind(value)})`]))
  if (hasPhone && name !== '') expressions.name = `lower(${bind(name)})`
  const noEmailCondition = keys.email_key === '' ? 'true' : "c.email_key = ''"
  return duplicatesSql(expressions, noEmailCondition)
}

/** The number of advisory locks of an owner. Each email and phone belongs to one lock, so a list of any length takes at most 256 locks. */
const lockCount = 256

/**
 * Blocks other transactions that add a contact with one of these emails or phones, until the end of this transaction. The locks are taken
 * in a fixed order, which avoids deadlocks.
 */
export function lockMatchKeys(owner: string, contacts: readonly MatchKeys[]): Promise<unknown> {
  const keys = contacts.flatMap(({ email_key, phone_key, mobile_phone_key }) => [email_key, phone_key, mobile_phone_key])
  return sql(
    `select pg_advisory_xact_lock(hashtextextended($1 || ' contact ' || number, 0))
     from (select distinct abs(hashtext(lower(key)) % ${lockCount}) as number from unnest($2::text[]) key order by 1) locks`,
    [owner, [...new Set(keys)].filter((key) => key !== '')],
  )
}
