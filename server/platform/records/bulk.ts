import { matchingLimit, type Condition } from '#contract/lists.ts'
import { sql, type Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { relabel } from '#server/platform/journal/label.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { conditionsOf } from './conditions.ts'
import type { RecordKind } from './kind.ts'

/** The records that a call is about: named by their ids, or all that match. */
export type Chosen = {
  ids?: readonly string[] | undefined
  matching?: { search: string; filter: readonly Condition[] } | undefined
}

type Fields = Readonly<Record<string, unknown>>

/** So few that nobody else waits for them. */
const fewIds = 50

/** Changes the chosen records in one transaction: many of them when it is the owner's turn for such. */
export function changeChosen(database: Database, caller: Caller, { ids }: Chosen, label: string, work: () => Promise<void>): Promise<void> {
  const isSmall = ids !== undefined && ids.length <= fewIds
  return isSmall ? database.transaction(caller, label, work) : database.longTransaction(caller, label, 'large', work)
}

/** The ids of the records that were chosen, those of them that are there. Throws `not_found` for none, and `too_many`. */
export async function chosenIds(kind: RecordKind, owner: string, { ids, matching }: Chosen, now: Date): Promise<string[]> {
  const values: unknown[] = [owner]
  const narrowing = { search: '', filter: [], ...matching, now, ids: ids && [...new Set(ids)] }
  const conditions = conditionsOf(kind.filters, narrowing, (value) => `$${values.push(value)}`)
  const where = ['user_id = $1', ...conditions].join(' and ')
  const rows = await sql<{ id: string }>(`select id from ${kind.find} where ${where} limit ${matchingLimit + 1}`, values, {
    customPlan: true,
  })
  if (rows.length === 0) throw new Refusal('not_found')
  if (rows.length > matchingLimit) throw new Refusal('too_many')
  return rows.map(({ id }) => id)
}

/** Deletes those of the ids that are there; says how many in the change's label. Throws `not_found` when none is. */
export async function deleteRecords(kind: RecordKind, owner: string, ids: readonly string[]): Promise<void> {
  const [, rows] = await Promise.all([
    takeInOrder(kind, owner, ids, 'update'),
    sql(`delete from ${kind.table} where user_id = $1 and id = any($2) returning id`, [owner, ids]),
  ])
  if (rows.length === 0) throw new Refusal('not_found')
  await relabel(labelOf('Deleted', kind, rows.length))
}

/** Gives these fields the same value in all. Rows that have it already are left alone; none is linked to itself. */
export async function editRecords(kind: RecordKind, owner: string, ids: readonly string[], fields: Fields): Promise<void> {
  const values: unknown[] = [owner, ids]
  const wanted = Object.entries(fields).filter(([, value]) => value !== undefined)
  if (wanted.length === 0) throw new Refusal('invalid', { fields: { fields: 'Name a field to change' } })
  const settings = wanted.map(([column, value]) => ({ column, given: givenTo(kind, column, `$${values.push(value)}`) }))
  const [, , rows] = await Promise.all([
    kind.check?.(ids, fields),
    takeInOrder(kind, owner, ids, 'no key update'),
    sql(
      `update ${kind.table} set ${settings.map(({ column, given }) => `${column} = ${given}`).join(', ')}
       where user_id = $1 and id = any($2) and (${settings.map(({ column, given }) => `${column} is distinct from ${given}`).join(' or ')})
       returning id`,
      values,
      { customPlan: true },
    ),
  ])
  if (rows.length > 0) await relabel(labelOf('Updated', kind, rows.length))
}

/**
 * Two calls that reach the same rows take them in the same order, so that one waits for the other and never both. What is linked to a
 * row waits for its delete alone.
 */
async function takeInOrder({ table }: RecordKind, owner: string, ids: readonly string[], lock: 'update' | 'no key update'): Promise<void> {
  const rows = `select from ${table} where user_id = $1 and id = any($2) order by id for ${lock}`
  await sql(`select count(*) as count from (${rows}) taken`, [owner, ids])
}

/** The boss whom a team gets may be among those who were chosen. */
function givenTo({ singular, links }: RecordKind, column: string, place: string): string {
  const leadsToItsKind = Object.values(links).some(({ field, to }) => field === column && to.singular === singular)
  return leadsToItsKind ? `case when id = ${place} then ${column} else ${place} end` : place
}

/** Puts tags on and takes others off. */
export async function tagRecords(
  kind: RecordKind,
  owner: string,
  ids: readonly string[],
  { add, remove, most }: { add: readonly string[]; remove: readonly string[]; most: number },
): Promise<void> {
  const [, rows] = await Promise.all([
    takeInOrder(kind, owner, ids, 'no key update'),
    sql<{ tags: string[] }>(
      `update ${kind.table} set tags = app.retag(tags, $3, $4)
       where user_id = $1 and id = any($2) and tags is distinct from app.retag(tags, $3, $4) returning tags`,
      [owner, ids, add, remove],
    ),
  ])
  if (rows.some(({ tags }) => tags.length > most))
    throw new Refusal('invalid', { fields: { add: `A ${kind.singular} takes at most ${most} tags` } })
  if (rows.length > 0) await relabel(labelOf('Tagged', kind, rows.length))
}

/** The tags in use, the most used first. */
export function readTags(kind: RecordKind, owner: string): Promise<{ tag: string; count: number }[]> {
  return sql<{ tag: string; count: number }>(
    `select min(tag) as tag, sum(worn.count)::bigint as count
     from (select tags, tag_keys, count(*) as count from ${kind.table} where user_id = $1 and tags <> '{}' group by tags, tag_keys) worn,
       unnest(tags, tag_keys) each (tag, key)
     group by key order by 2 desc, 1 limit 500`,
    [owner],
  )
}

/** "Deleted 1 contact", "Deleted 12 contacts". */
export const labelOf = (done: string, { singular, plural }: Pick<RecordKind, 'singular' | 'plural'>, count: number): string =>
  `${done} ${count} ${count === 1 ? singular : plural}`
