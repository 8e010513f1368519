// Finds the records that the cells of a file name. For a name that several records have, no record is returned.
import { sql } from '#server/platform/database/database.ts'
import { findEmails } from '../mapping/values.ts'

/** The records with a value: the lowest id, and their number. */
type Found = { value: string; id: string; count: number }

const toMap = (rows: readonly Found[]): Map<string, string> =>
  new Map(rows.flatMap(({ value, id, count }) => (count === 1 ? [[value, id]] : [])))

const distinct = (texts: readonly (string | undefined)[]): string[] => [...new Set(texts.filter((text) => text !== undefined))]

const contactsView = 'crm_contacts_find'

/**
 * Returns the ids of contacts by their emails, or by their full names if the texts have no email. If no contact has exactly the name, a
 * name of several words is compared without case and accents.
 */
export async function findContacts(owner: string, texts: readonly (string | undefined)[]): Promise<Map<string, string>> {
  const named = distinct(texts).map((text) => ({ text, email: toEmail(text), name: toFullName(text) }))
  const [withEmail, withName] = [named.filter(({ email }) => email !== ''), named.filter(({ email }) => email === '')]
  const [byEmail, byName] = await Promise.all([
    findByColumn(
      { owner, view: contactsView, column: 'email_key' },
      withEmail.map(({ email }) => email),
    ),
    findByColumn(
      { owner, view: contactsView, column: 'name collate "und-x-icu"' },
      withName.map(({ name }) => name),
    ),
  ])
  const found = named.flatMap(({ text, email, name }) => {
    const records = email === '' ? byName.get(name) : byEmail.get(email)
    return records ? [{ ...records, value: text }] : []
  })
  // a short word is in the texts of very many contacts, so a search for it would be slow
  const others = withName.filter(({ name }) => !byName.has(name) && !name.includes('@') && name.length >= 5 && name.includes(' '))
  const byFoldedName = await findContactsByFoldedName(
    owner,
    others.map(({ text }) => text),
  )
  return new Map([...toMap(found), ...byFoldedName])
}

/** Returns the email in a text such as "ann@example.org" or "Ann Lee (ann@example.org)" as it is compared; empty if it has none. */
export const toEmail = (text: string): string => findEmails(text)[0]?.toLowerCase() ?? ''

/** Returns a full name with single spaces, as contacts have it. */
export const toFullName = (text: string): string => text.trim().replaceAll(/\s+/g, ' ')

/**
 * Returns the records whose column has one of the values, by value. All values are in one condition: with a condition for each value, old
 * statistics of the table could make PostgreSQL read the whole table for each of them.
 */
async function findByColumn(
  { owner, view, column }: { owner: string; view: string; column: string },
  values: readonly string[],
): Promise<Map<string, Found>> {
  if (values.length === 0) return new Map()
  const rows = await sql<Found>(
    `select ${column} as value, min(id::text) as id, count(*)::int as count from ${view}
     where user_id = $1 and ${column} = any($2) group by ${column}`,
    [owner, [...new Set(values)]],
  )
  return new Map(rows.map((row) => [row.value, row]))
}

async function findContactsByFoldedName(owner: string, names: readonly string[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const found = await sql<Found>(
    `select named.text as value, min(c.id::text) as id, count(*)::int as count
     from (select text, app.fold(name) as folded from unnest($2::text[], $3::text[]) n (text, name)) named cross join lateral (
       select id from crm_contacts_find
       where user_id = $1 and search like '%' || replace(replace(replace(named.folded, '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'
         and app.fold(name) = named.folded limit 2
     ) c group by named.text`,
    [owner, names, names.map(toFullName)],
    { customPlan: true },
  )
  return toMap(found)
}

/** Returns the ids of deals by their titles. */
export async function findDeals(owner: string, texts: readonly (string | undefined)[]): Promise<Map<string, string>> {
  const found = await findByColumn({ owner, view: 'deals_find', column: 'title collate "und-x-icu"' }, distinct(texts))
  return toMap([...found.values()])
}
