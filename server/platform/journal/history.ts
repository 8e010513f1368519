// Reads history, timelines and the trash from the journal. Every function must be called inside `read` or `transaction`.
// A journal line is the change of one row; `step` is the number of the statement, and `line` is the number of the row in this statement.
// `before` and `after` are the whole row of an insert or a delete, but only the changed columns of an update. When the values of an old
// update are erased, `columns` keeps the names of its columns. A change group has an entry: a change set with the id of the group that
// changes no rows itself. The change sets of its transactions have this id as `group_id`.
// SQL aliases: `j` and `d` are journal lines, `c` is a change set, `m` is a change set of a group, `g` is a change group, `k` is a column.
import { maxSkippedInChange, type Change, type RecentChange, type SkippedRow, type TimelineEntry } from '#contract/changes.ts'
import { sql } from '#server/platform/database/database.ts'
import { writeCursor, type Cursor } from '#server/platform/database/cursor.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { createNextCursor, readPosition, type JournalPosition } from './cursor.ts'
import { findLinked, type Link, type LinkedRow } from './linked.ts'

/** The rows of a page and the cursor of the next page, null on the last page. */
type Page<Row> = { rows: Row[]; next: string | null }

/**
 * A change and the first row that it wrote directly, that is, not by cascade. `before`: the values of that row when it was last deleted,
 * null if it never was.
 */
type RecentChangeRow = Omit<RecentChange, 'title' | 'exists'> & { before: Record<string, unknown> | null }

/**
 * A row in the trash. `parent`: the row to which it belonged, that is, a foreign key deletes it together with `parent`. `before`: the
 * values of the row, or of `parent`, when it was last deleted.
 */
type DeletedRow = {
  id: string
  table: string
  change: string
  deleted_at: string
  expires_at: string
  before: Record<string, unknown>
  parent: { id: string; table: string; before: Record<string, unknown> | null } | null
}

/**
 * A timeline entry. `linkedId`: the id of the linked row, null if the entry is about the record itself. `before`: the values of the linked
 * row when it was last deleted.
 */
type TimelineRow = Omit<TimelineEntry, 'linked'> & { linkedId: string | null; before: Record<string, unknown> | null }

/** A column of a row and its last change. */
export type ColumnChange = { column: string; changeId: string; at: string; actor: string; actor_name: string | null }

/**
 * An earlier write with the same Idempotency-Key: its change set, the hash of the request, and the first row that it wrote directly.
 * `isRunning`: the change set is the entry of a change group whose job has not ended.
 */
export type EarlierWrite = { changeId: string; hash: string | null; record: string | null; isRunning: boolean }

/** SQL for the kind of a reversal: 'undo', 'redo' or 'restore'; null for all other changes. The undo of an undo is a redo. */
const reversalColumn = `case when c.restore_of is not null then 'restore' when c.undo_depth = 0 then null when c.undo_depth % 2 = 1 then 'undo' else 'redo' end as reversal`

/**
 * SQL for the values of a row when it was last deleted. It has no condition on `operation`, so that PostgreSQL uses the index by
 * `row_id`.
 */
const valuesWhenDeleted = (id: string, table: string): string =>
  `(select d.before from journal d where d.user_id = $1 and d.row_id = ${id} and d.table_name = ${table}
    and d.before is not null and d.after is null order by d.step desc limit 1)`

/** SQL for the progress of a change group's job; null for other changes. */
const progressColumn = `(select jsonb_build_object('done', g.done, 'total', g.total, 'finished', g.finished_at is not null,
      'failed', g.finished_at is null and jobs.has_failed(g.id::text))
    from change_groups g where g.user_id = $1 and g.id = c.id) as progress`

/** SQL for the ids of the undo of a change, the redo of that undo, and so on. */
const reversalIds = (changeId: string): string =>
  `(with recursive reversals (id, number) as (
      select u.id, 1 from changesets u where u.undo_of = ${changeId}
      union all select u.id, r.number + 1 from reversals r join changesets u on u.undo_of = r.id
    ) select coalesce(array_agg(id order by number), '{}') from reversals)`

/** Returns SQL that is true while a change is undone: it is false again after a redo. */
export const isUndoneSql = (changeId: string): string => `(cardinality(${reversalIds(changeId)}) % 2 = 1)`

/** Returns SQL for the id of the newest of the undo of a change, the redo of that undo, and so on; null if it was never undone. */
export const newestReversalSql = (changeId: string): string =>
  `(select ids[cardinality(ids)] from (select ${reversalIds(changeId)} as ids) reversals)`

/**
 * Returns SQL for the number of rows of a table that the undos of a change have left as they were, because they were edited since or are in
 * use, and that still exist. A row that an earlier undo has kept is not a part of the redo, so the later undo does not list it again.
 */
export const countKeptSql = (changeId: string, table: string): string =>
  `(select count(distinct kept.id)::int from unnest(${reversalIds(changeId)}) with ordinality reversals (id, number)
    join skipped_rows s on s.user_id = $1 and s.change_id = reversals.id and s.table_name = '${table}' and s.why in ('edited', 'in_use', 'blocked')
    join ${table} kept on kept.user_id = $1 and kept.id = s.row_id where reversals.number % 2 = 1)`

/** SQL that selects the changed columns of an update as JSON. */
const changedColumns = `select coalesce(jsonb_agg(jsonb_build_object('name', k.name, 'before', j.before -> k.name, 'after', j.after -> k.name)), '[]')
  from unnest(coalesce(j.columns, array(select jsonb_object_keys(j.after)))) k (name)`

/**
 * SQL for the first or the last change set of the group with the entry `c`. The row of the history is usually in the first. In a large delete
 * the first has only dependent rows, which count as cascades and are left out, so the row is in the last.
 */
const memberOfGroup = (order: 'asc' | 'desc'): string =>
  `(select m.id from changesets m where m.user_id = $1 and m.group_id = c.id order by m.id ${order} limit 1)`

/**
 * Returns the changes of a workspace, newest first. A change group is one entry. Omits changes whose first row is in one of
 * `hiddenTables`.
 */
export const readRecentChanges = (owner: string, limit: number, hiddenTables: readonly string[] = []): Promise<RecentChangeRow[]> =>
  sql<RecentChangeRow>(
    `select c.id as change, c.at, c.actor, c.actor_name, c.label, ${reversalColumn}, ${progressColumn}, first.table_name as "table", first.row_id as id,
       coalesce(first.columns, '[]') as columns,
       ${valuesWhenDeleted('first.row_id', 'first.table_name')} as before
     from (select * from changesets where user_id = $1 and group_id is null ${hiddenTables.length === 0 ? 'order by id desc limit $2' : ''}) c
     left join lateral (
       select j.* from unnest(array[${memberOfGroup('asc')}, ${memberOfGroup('desc')}, c.id]) member (id) cross join lateral (
         select j.step, j.line, j.table_name, j.row_id, case when j.operation = 'U' then (${changedColumns}) end as columns from journal j
         where j.change = member.id and not j.cascade order by j.step, j.line limit 1
       ) j order by j.step, j.line limit 1
     ) first on true
     where (first.table_name = any($3)) is not true
     order by c.id desc limit $2`,
    [owner, limit, hiddenTables],
  )

/**
 * Returns the changes of a record and of the rows that `links` connect to it, newest first. Values older than 30 days are null; the names
 * of the columns are kept. Omits linked rows that were deleted in the same change as the record, or that came back with it, and rows of
 * `hiddenTables`.
 */
export async function readTimeline(
  owner: string,
  record: string,
  after: Cursor | undefined,
  limit: number,
  { links = [], hiddenTables = [] }: { links?: readonly Link[]; hiddenTables?: readonly string[] } = {},
): Promise<Page<TimelineRow>> {
  const position = readPosition(after)
  const isListed = '($3::bigint is null or (j.step, j.line) < ($3, $4)) and j.table_name <> all ($9)'
  const newest = 'order by j.step desc, j.line desc limit $5'
  const linked = await findLinked(owner, record, links)
  const foundRows = await sql<TimelineRow & JournalPosition>(
    `with deleted_or_back as materialized (
       select j.change from journal j join changesets c on c.id = j.change
       where j.user_id = $1 and j.row_id = $2 and (j.operation = 'D' or (j.operation = 'I' and (c.undo_depth > 0 or c.restore_of is not null)))
     ),
     page as materialized (
       (select j.*, null::uuid as linked_id from journal j where j.user_id = $1 and j.row_id = $2 and ${isListed} ${newest})
       union all
       (select j.*, j.row_id as linked_id from unnest($6::uuid[], $7::text[], $8::text[]) as linked (id, name, fields) cross join lateral (
          select * from journal j
          where j.user_id = $1 and j.row_id = linked.id and j.table_name = linked.name and not j.cascade and ${isListed}
            and j.change not in (select change from deleted_or_back)
            and (j.operation <> 'U' or coalesce(j.columns, array(select jsonb_object_keys(j.after))) && string_to_array(linked.fields, ','))
          ${newest}
        ) j ${newest})
     )
     select c.id as change, c.at, c.actor, c.actor_name, c.label, j.table_name as "table", j.step, j.line, j.linked_id as "linkedId",
       ${reversalColumn},
       case j.operation when 'I' then 'created' when 'U' then 'updated' else 'deleted' end as operation,
       case when j.operation <> 'U' then '[]' else (
         ${changedColumns}
       ) end as columns,
       ${valuesWhenDeleted('j.linked_id', 'j.table_name')} as before
     from page j join changesets written on written.id = j.change
     join changesets c on c.id = coalesce(written.group_id, written.id) ${newest}`,
    [owner, record, position?.step ?? null, position?.line ?? null, limit + 1, ...toColumns(linked), hiddenTables],
  )
  const rows = foundRows.slice(0, limit).map(({ step: _step, line: _line, ...timelineRow }) => timelineRow)
  return { rows, next: createNextCursor(foundRows, limit) }
}

/** Returns the linked rows as three arrays, one for each column, because the SQL function `unnest` makes rows of them again. */
const toColumns = (linked: readonly LinkedRow[]) => [
  linked.map(({ id }) => id),
  linked.map(({ table }) => table),
  linked.map(({ timelineFields }) => timelineFields),
]

/** SQL that selects the skipped rows of change set `c` as JSON. */
const skippedEntries = `select s.id, jsonb_strip_nulls(jsonb_build_object('table', s.table_name, 'id', s.row_id, 'why', s.why, 'columns', to_jsonb(s.columns)))
  as entry from skipped_rows s where s.user_id = $1 and s.change_id = c.id`

/** Returns the rows that an undo skipped, in the order in which it found them. Throws `not_found` for an unknown change set. */
export async function readSkippedRows(
  owner: string,
  changeId: string,
  after: Cursor | undefined,
  limit: number,
): Promise<Page<SkippedRow>> {
  const foundRows = await sql<{ id: string | null; entry: SkippedRow }>(
    `select s.id, s.entry from changesets c
     left join lateral (${skippedEntries} and ($3::uuid is null or s.id > $3) order by s.id limit $4) s on true
     where c.user_id = $1 and c.id = $2 order by s.id`,
    [owner, changeId, after?.[1] ?? null, limit + 1],
  )
  if (foundRows.length === 0) throw new Refusal('not_found')
  const rows = foundRows.filter(({ id }) => id !== null)
  const last = rows.length > limit ? rows[limit - 1]?.id : undefined
  return { rows: rows.slice(0, limit).map(({ entry }) => entry), next: last ? writeCursor(['', last]) : null }
}

/** Returns a change set or a change group. Throws `not_found`. */
export async function describeChange(owner: string, id: string): Promise<Change> {
  const [change] = await sql<Change>(
    `select c.id, c.at, c.actor, c.actor_name, c.label, c.skipped_counts,
       coalesce((select jsonb_agg(s.entry order by s.id) from (${skippedEntries} order by s.id limit ${maxSkippedInChange}) s), '[]') as skipped,
       coalesce((select g.row_count from change_groups g where g.user_id = $1 and g.id = c.id),
         (select count(distinct (j.table_name, j.row_id)) from journal j where j.change = c.id and not j.cascade)) as count,
       ${progressColumn},
       cardinality(r.ids) % 2 = 1 as undone, case when cardinality(r.ids) % 2 = 0 then r.ids[cardinality(r.ids)] end as redo_id
     from changesets c cross join lateral (select ${reversalIds('c.id')} as ids) r where c.user_id = $1 and c.id = $2`,
    [owner, id],
  )
  if (!change) throw new Refusal('not_found')
  return change
}

/**
 * Returns the rows that were deleted in the last 30 days and not restored, newest first, without rows deleted by cascade. If a group
 * has deleted a row, `change` is the id of the group. Omits rows of `hiddenTables`.
 */
export async function readTrash(
  owner: string,
  after: Cursor | undefined,
  limit: number,
  hiddenTables: readonly string[] = [],
): Promise<Page<DeletedRow>> {
  const position = readPosition(after)
  const foundRows = await sql<DeletedRow & JournalPosition & { deletion: string }>(
    `with page as materialized (
       select j.* from journal j
       where j.user_id = $1 and not j.cascade and j.operation = 'D' and j.before is not null and j.table_name <> all ($6)
         and j.change >= app.uuid_floor(now() - app.undo_window())
         and ($2::uuid is null or (j.change, j.step, j.line) < ($2, $3::bigint, $4::int))
         and not exists (select from journal later where later.user_id = $1 and later.row_id = j.row_id
           and later.table_name = j.table_name and later.operation = 'I' and later.step > j.step)
       order by j.change desc, j.step desc, j.line desc limit $5
     ),
     links as materialized (select child, parent, column_name from app.journal_links where cascades)
     select p.row_id as id, p.table_name as "table", p.change, coalesce(c.group_id, p.change) as deletion, c.at as deleted_at, c.at + app.undo_window() as expires_at, p.before, p.step, p.line,
       (select jsonb_build_object('id', p.before ->> l.column_name, 'table', l.parent,
          'before', ${valuesWhenDeleted('(p.before ->> l.column_name)::uuid', 'l.parent')})
        from links l where l.child = p.table_name and p.before ->> l.column_name is not null limit 1) as parent
     from page p join changesets c on c.id = p.change order by p.change desc, p.step desc, p.line desc`,
    [owner, position?.change ?? null, position?.step ?? null, position?.line ?? null, limit + 1, hiddenTables],
    { customPlan: true },
  )
  const rows = foundRows.slice(0, limit).map(({ step: _step, line: _line, deletion, ...row }) => ({ ...row, change: deletion }))
  return { rows, next: createNextCursor(foundRows, limit) }
}

/**
 * Returns the columns of a row that changed after `version`, each with its last change. Omits columns that a delete and a restore left
 * with the same value.
 */
export function readColumnChanges(owner: string, table: string, id: string, version: number): Promise<ColumnChange[]> {
  return sql<ColumnChange>(
    `select distinct on (k.name) k.name as column, j.change as "changeId", c.at, c.actor, c.actor_name
     from journal j join changesets c on c.id = j.change
     left join lateral (
       select d.before as old_values from journal d where d.user_id = $1 and d.row_id = $3 and d.table_name = $2 and d.operation = 'D' and d.step < j.step
       order by d.step desc limit 1
     ) deleted_row on j.operation = 'I'
     cross join lateral unnest(coalesce(j.columns, array(
       select a.key from jsonb_each(j.after) a where j.operation = 'U' or deleted_row.old_values -> a.key is distinct from a.value
     ))) k (name)
     where j.user_id = $1 and j.table_name = $2 and j.row_id = $3 and j.version > $4 and j.operation <> 'D'
     order by k.name, j.step desc, j.line desc`,
    [owner, table, id, version],
  )
}

/** Returns the earlier write that used this Idempotency-Key. */
export async function findEarlierWrite(owner: string, requestKey: string): Promise<EarlierWrite | undefined> {
  const [earlier] = await sql<EarlierWrite>(
    `select c.id as "changeId", c.request_hash as hash,
       (select j.row_id from journal j where j.change = c.id and not j.cascade and j.operation <> 'D' order by j.step, j.line limit 1) as record,
       exists (select from change_groups g where g.user_id = $1 and g.id = c.id and g.finished_at is null) as "isRunning"
     from changesets c where c.user_id = $1 and c.request_key = $2`,
    [owner, requestKey],
  )
  return earlier
}
