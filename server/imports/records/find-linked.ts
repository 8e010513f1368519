// Finds the records that the cells of a file name. For a name that several records have, no record is returned.
import { sql } from '#server/platform/database/database.ts'
import { findEmails } from '../mapping/values.ts'

type Found = { text: string; id: string; count: number }

const toMap = (rows: readonly Found[]): Map<string, string> =>
  new Map(rows.flatMap(({ text, id, count }) => (count === 1 ? [[text, id]] : [])))

const distinct = (texts: readonly (string | undefined)[]): string[] => [...new Set(texts.filter((text) => text !== undefined))]

/**
 * Returns the ids of contacts by their emails or full names. If no contact has exactly the name, a name of several words is compared
 * without case and accents.
 */
export async function findContacts(owner: string, texts: readonly (string | undefined)[]): Promise<Map<string, string>> {
  const names = distinct(texts)
  if (names.length === 0) return new Map()
  // the texts are converted here and not in SQL, because with row security PostgreSQL uses these indexes only for values without functions
  const found = await sql<Found>(
    `select named.text, min(c.id::text) as id, count(*)::int as count
     from unnest($2::text[], $3::text[], $4::text[]) named (text, email, name) cross join lateral (
       (select id from crm_contacts_find where user_id = $1 and named.email <> '' and email_key = named.email limit 2)
       union (select id from crm_contacts_find where user_id = $1 and name collate "und-x-icu" = named.name limit 2)
     ) c group by named.text`,
    [owner, names, names.map(toEmail), names.map(toFullName)],
  )
  const known = new Set(found.map(({ text }) => text))
  // a short word is in the texts of very many contacts, so a search for it would be slow
  const others = names.filter(
    (name) => !known.has(name) && !name.includes('@') && toFullName(name).length >= 5 && toFullName(name).includes(' '),
  )
  return new Map([...toMap(found), ...(await findContactsByFoldedName(owner, others))])
}

/** Returns the email in a text such as "ann@example.org" or "Ann Lee (ann@example.org)" as it is compared; empty if it has none. */
export const toEmail = (text: string): string => findEmails(text)[0]?.toLowerCase() ?? ''

/** Returns a full name with single spaces, as contacts have it. */
export const toFullName = (text: string): string => text.trim().replaceAll(/\s+/g, ' ')

async function findContactsByFoldedName(owner: string, names: readonly string[]): Promise<Map<string, string>> {
  if (names.length === 0) return new Map()
  const found = await sql<Found>(
    `select named.text, min(c.id::text) as id, count(*)::int as count
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
  const titles = distinct(texts)
  if (titles.length === 0) return new Map()
  return toMap(
    await sql<Found>(
      `select named.text, min(d.id::text) as id, count(*)::int as count from unnest($2::text[]) named (text) cross join lateral (
         select id from deals_find where user_id = $1 and title collate "und-x-icu" = named.text limit 2
       ) d group by named.text`,
      [owner, titles],
    ),
  )
}
