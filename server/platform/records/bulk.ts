// Writes many records of a kind in the open transaction.
import { maxMatchingRecords, type Condition } from '#contract/lists.ts'
import { tagLimits } from '#contract/fields.ts'
import { sql } from '#server/platform/database/database.ts'
import { relabel } from '#server/platform/journal/label.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { resolveCriteria, toSqlConditions } from './conditions.ts'
import { readLargeDeleteCheck } from './dependents.ts'
import type { Fields, RecordKind } from './kind.ts'

/** The selection of a bulk action: either ids, or all records that match a search and a filter. */
export type Selection = {
  ids?: readonly string[] | undefined
  matching?: { search: string; filter: readonly Condition[] } | undefined
  /** The maximum number of records; `maxMatchingRecords` by default. */
  limit?: number | undefined
}

/** Returns the ids of the selected records that exist. Throws `not_found` if there are none, and `too_many` above the limit. */
export async function findSelectedIds(kind: RecordKind, owner: string, selection: Selection, now: Date): Promise<string[]> {
  const ids = await readSelectedIds(kind, owner, selection, now)
  if (ids.length === 0) throw new Refusal('not_found')
  return ids
}

/** The lock `update` also prevents new rows from referring to the locked ones. */
export type RowLock = 'update' | 'no key update'

/**
 * Returns the ids of the selected records that exist. Locks the records of a filter and then searches them again, because another
 * transaction may have changed them before they were locked. Throws like `findSelectedIds`.
 */
export async function lockSelection(kind: RecordKind, owner: string, selection: Selection, now: Date, lock: RowLock): Promise<string[]> {
  const ids = await findSelectedIds(kind, owner, selection, now)
  if (!selection.matching) return ids
  await lockInOrder(kind, owner, ids, lock)
  return findSelectedIds(kind, owner, { ...selection, ids }, now)
}

/** Returns the ids of the selected records that exist, perhaps none. Throws `too_many` above the limit. */
export async function readSelectedIds(
  kind: RecordKind,
  owner: string,
  { ids, matching, limit = maxMatchingRecords }: Selection,
  now: Date,
): Promise<string[]> {
  const values: unknown[] = [owner]
  const criteria = await resolveCriteria(kind, owner, { search: '', filter: [], ...matching, now, ids: ids && [...new Set(ids)] })
  const conditions = toSqlConditions(kind, criteria, (value) => `$${values.push(value)}`)
  const where = ['user_id = $1', ...conditions].join(' and ')
  const rows = await sql<{ id: string }>(`select id from ${kind.findView} where ${where} limit ${limit + 1}`, values, { customPlan: true })
  if (rows.length > limit) throw new Refusal('too_many')
  return rows.map(({ id }) => id)
}

/**
 * Deletes the records that exist, and writes their number into the label of the change. Throws `not_found` if there are none, and a
 * database error with the constraint `large_delete` if too many rows depend on them.
 */
export async function deleteRows(kind: RecordKind, owner: string, ids: readonly string[]): Promise<void> {
  const check = await readLargeDeleteCheck(kind.table)
  // the statements of a batch run in this order, so the rows are locked first
  const [_locked, _checked, rows] = await Promise.all([
    lockInOrder(kind, owner, ids, 'update'),
    check && sql(check, [owner, ids]),
    sql(`delete from ${kind.table} where user_id = $1 and id = any($2) returning id`, [owner, ids]),
  ])
  if (rows.length === 0) throw new Refusal('not_found')
  await relabel(formatCountLabel('Deleted', kind, rows.length))
}

/** Sets the fields of all records to the same values. Skips rows that have these values already. */
export async function updateRows(kind: RecordKind, owner: string, ids: readonly string[], fields: Fields): Promise<void> {
  const values: unknown[] = [owner, ids]
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  if (entries.length === 0) throw new Refusal('invalid', { fields: { fields: 'Name a field to change' } })
  const assignments = entries.map(([column, value]) => ({ column, value: toValueSql(kind, column, `$${values.push(value)}`) }))
  // all three are started together, so that the statements are sent in one batch and run in this order
  const [_checked, _locked, rows] = await Promise.all([
    kind.check?.(ids, fields),
    lockInOrder(kind, owner, ids, 'no key update'),
    sql(
      `update ${kind.table} set ${assignments.map(({ column, value }) => `${column} = ${value}`).join(', ')}
       where user_id = $1 and id = any($2) and (${assignments.map(({ column, value }) => `${column} is distinct from ${value}`).join(' or ')})
       returning id`,
      values,
      { customPlan: true },
    ),
  ])
  if (rows.length > 0) await relabel(formatCountLabel('Updated', kind, rows.length))
}

/**
 * Adds and removes tags of all records. Throws `invalid` if a record would have too many tags. The SQL function `app.retag` returns the new
 * tags of a record; it compares tags without case and accents. A tag in both lists gets the spelling in `add`.
 */
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
  if (rows.length > 0) await relabel(formatCountLabel('Tagged', kind, rows.length))
}

/** Returns the 500 most used tags, the most used first. Spellings of one tag have the same key in `tag_keys` and are counted together. */
export function readTags(kind: RecordKind, owner: string): Promise<{ tag: string; count: number }[]> {
  return sql<{ tag: string; count: number }>(
    `select min(tag) as tag, sum(used.count)::bigint as count
     from (select tags, tag_keys, count(*) as count from ${kind.table} where user_id = $1 and tags <> '{}' group by tags, tag_keys) used,
       unnest(tags, tag_keys) each (tag, key)
     group by key order by 2 desc, 1 limit 500`,
    [owner],
  )
}

/** Returns a label such as "Deleted 1 contact" or "Deleted 12 contacts". */
export const formatCountLabel = (verb: string, kind: Names, count: number): string => `${verb} ${formatCount(kind, count)}`

/** Returns a text such as "1 contact" or "12 contacts". */
export const formatCount = ({ singular, plural }: Names, count: number): string => `${count} ${count === 1 ? singular : plural}`

/** The nouns of a kind, such as "contact" and "contacts". */
type Names = Pick<RecordKind, 'singular' | 'plural'>

/** Locks the rows in the order of their ids, which prevents deadlocks. */
async function lockInOrder({ table }: RecordKind, owner: string, ids: readonly string[], lock: RowLock): Promise<void> {
  const rows = `select from ${table} where user_id = $1 and id = any($2) order by id for ${lock}`
  await sql(`select count(*) as count from (${rows}) locked`, [owner, ids])
}

/**
 * Returns SQL for the new value of a column. A record is never linked to itself: for example, if the new manager of the selected contacts
 * is one of them, this contact keeps its own manager.
 */
function toValueSql({ singular, linksByConstraint }: RecordKind, column: string, value: string): string {
  const isLinkToSameKind = Object.values(linksByConstraint).some(({ field, to }) => field === column && to.singular === singular)
  return isLinkToSameKind ? `case when id = ${value} then ${column} else ${value} end` : value
}
