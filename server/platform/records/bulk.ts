// Statements that write many records of a kind in the open transaction.
import { matchingLimit, type Condition } from '#contract/lists.ts'
import { tagLimits } from '#contract/records.ts'
import { sql } from '#server/platform/database/database.ts'
import { relabel } from '#server/platform/journal/label.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { conditionsOf } from './conditions.ts'
import type { Fields, RecordKind } from './kind.ts'

/** The records of a bulk action: named by their ids, or all that match. */
export type Selection = {
  ids?: readonly string[] | undefined
  matching?: { search: string; filter: readonly Condition[] } | undefined
}

/** The ids of the selected records that exist. Throws `not_found` for none, and `too_many`. */
export async function selectedIds(kind: RecordKind, owner: string, { ids, matching }: Selection, now: Date): Promise<string[]> {
  const values: unknown[] = [owner]
  const criteria = { search: '', filter: [], ...matching, now, ids: ids && [...new Set(ids)] }
  const conditions = conditionsOf(kind.filters, criteria, (value) => `$${values.push(value)}`)
  const where = ['user_id = $1', ...conditions].join(' and ')
  const rows = await sql<{ id: string }>(`select id from ${kind.find} where ${where} limit ${matchingLimit + 1}`, values, {
    customPlan: true,
  })
  if (rows.length === 0) throw new Refusal('not_found')
  if (rows.length > matchingLimit) throw new Refusal('too_many')
  return rows.map(({ id }) => id)
}

/** Deletes the records that exist and counts them in the label of the change. Throws `not_found` for none. */
export async function deleteRows(kind: RecordKind, owner: string, ids: readonly string[]): Promise<void> {
  const [, rows] = await Promise.all([
    lockInOrder(kind, owner, ids, 'update'),
    sql(`delete from ${kind.table} where user_id = $1 and id = any($2) returning id`, [owner, ids]),
  ])
  if (rows.length === 0) throw new Refusal('not_found')
  await relabel(countedLabel('Deleted', kind, rows.length))
}

/** Gives these fields the same value in all records. Rows that have it already are left alone; none is linked to itself. */
export async function updateRows(kind: RecordKind, owner: string, ids: readonly string[], fields: Fields): Promise<void> {
  const values: unknown[] = [owner, ids]
  const wanted = Object.entries(fields).filter(([, value]) => value !== undefined)
  if (wanted.length === 0) throw new Refusal('invalid', { fields: { fields: 'Name a field to change' } })
  const settings = wanted.map(([column, value]) => ({ column, value: exceptItself(kind, column, `$${values.push(value)}`) }))
  const [, , rows] = await Promise.all([
    kind.check?.(ids, fields),
    lockInOrder(kind, owner, ids, 'no key update'),
    sql(
      `update ${kind.table} set ${settings.map(({ column, value }) => `${column} = ${value}`).join(', ')}
       where user_id = $1 and id = any($2) and (${settings.map(({ column, value }) => `${column} is distinct from ${value}`).join(' or ')})
       returning id`,
      values,
      { customPlan: true },
    ),
  ])
  if (rows.length > 0) await relabel(countedLabel('Updated', kind, rows.length))
}

/** Adds and removes tags. */
export async function tagRows(
  kind: RecordKind,
  owner: string,
  ids: readonly string[],
  { add, remove }: { add: readonly string[]; remove: readonly string[] },
): Promise<void> {
  const [, rows] = await Promise.all([
    lockInOrder(kind, owner, ids, 'no key update'),
    sql<{ tags: string[] }>(
      `update ${kind.table} set tags = app.retag(tags, $3, $4)
       where user_id = $1 and id = any($2) and tags is distinct from app.retag(tags, $3, $4) returning tags`,
      [owner, ids, add, remove],
    ),
  ])
  if (rows.some(({ tags }) => tags.length > tagLimits.count))
    throw new Refusal('invalid', { fields: { add: `A ${kind.singular} takes at most ${tagLimits.count} tags` } })
  if (rows.length > 0) await relabel(countedLabel('Tagged', kind, rows.length))
}

/** The tags in use, the most used first. */
export function readTags(kind: RecordKind, owner: string): Promise<{ tag: string; count: number }[]> {
  return sql<{ tag: string; count: number }>(
    `select min(tag) as tag, sum(used.count)::bigint as count
     from (select tags, tag_keys, count(*) as count from ${kind.table} where user_id = $1 and tags <> '{}' group by tags, tag_keys) used,
       unnest(tags, tag_keys) each (tag, key)
     group by key order by 2 desc, 1 limit 500`,
    [owner],
  )
}

/** "Deleted 1 contact", "Deleted 12 contacts". */
export const countedLabel = (done: string, { singular, plural }: Pick<RecordKind, 'singular' | 'plural'>, count: number): string =>
  `${done} ${count} ${count === 1 ? singular : plural}`

/** Locks the rows in the order of their ids, so that two calls for the same rows cannot block each other. `update` also waits for links to them. */
async function lockInOrder({ table }: RecordKind, owner: string, ids: readonly string[], lock: 'update' | 'no key update'): Promise<void> {
  const rows = `select from ${table} where user_id = $1 and id = any($2) order by id for ${lock}`
  await sql(`select count(*) as count from (${rows}) locked`, [owner, ids])
}

/** The new manager may be one of the selected contacts; it keeps its own manager. */
function exceptItself({ singular, links }: RecordKind, column: string, value: string): string {
  const isLinkToSameKind = Object.values(links).some(({ field, to }) => field === column && to.singular === singular)
  return isLinkToSameKind ? `case when id = ${value} then ${column} else ${value} end` : value
}
