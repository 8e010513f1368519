// Collects what an undo has to revert: the net effect of a change set on each row, from its journal lines.
// A journal line is the change of one row; `step` is the number of the statement, and `line` is the number of the row in this statement.
// The images `before` and `after` are the row as JSON before and after the change: all columns for an inserted or deleted row, otherwise
// the changed columns. The net effect of a change set on a row is what all its journal lines of this row have changed together.
import { sql } from '#server/platform/database/database.ts'
import { runOnUndoTables, type UndoState } from './state.ts'

/**
 * The columns of `undo_net`. `cascade`: only foreign keys have written the row. `last_step`: the last statement that wrote it. `why`: the
 * reason for which the undo skips the row, null if it does not.
 */
const columns =
  'table_name text, row_id uuid, user_id uuid, operation text, cascade boolean, before jsonb, after jsonb, last_step bigint, why text'

/** The deleted row `row`, and the rows that were deleted or unlinked with it by cascade. `group`: the group that restores them in parts. */
type RestoredRow = { row: string; group: string | undefined }

/**
 * Writes the net effect of the change set on each row into the temporary table `undo_net`: the first `before` and the last `after`. Rows
 * that the change set both inserted and deleted are omitted. `only` limits `undo_net` to one row and what was deleted or unlinked with it.
 * Returns whether `undo_net` has any row.
 */
export async function collectNetEffect(state: UndoState, only?: RestoredRow): Promise<boolean> {
  await runOnUndoTables('drop table if exists pg_temp.undo_net')
  await runOnUndoTables(`create temporary table undo_net (${columns}) on commit drop`)
  const isWhole = only === undefined
  await runOnUndoTables(insertNetSql(isWhole), [state.source])
  if (only) await removeOtherRows(only)
  await runOnUndoTables('create index on undo_net (table_name, operation, row_id)')
  await runOnUndoTables('analyze undo_net')
  const operations = await sql<{ key: string }>(`select distinct table_name || ' ' || operation as key from undo_net`, [], {
    customPlan: true,
  })
  const keys = new Set(operations.map(({ key }) => key))
  state.hasRows = (table, operation) => keys.has(`${table.name} ${operation}`)
  return keys.size > 0
}

/**
 * Returns SQL that merges the journal lines of each row into one. The operation is 'D' if the last line deleted the row, 'I' if the first
 * line inserted it, otherwise 'U'. For the restore of one row (`isWhole` is false) a row that was inserted and deleted counts as deleted.
 * `app.merge_images` merges JSON objects; a column gets the value of the last object that has it. So `before` is merged in reverse order.
 */
const insertNetSql = (isWhole: boolean): string => `
  insert into undo_net (table_name, row_id, user_id, operation, cascade, before, after, last_step)
  select table_name, row_id, user_id, operation, cascade, ${withCurrentColumns('before')}, ${withCurrentColumns('after')}, last_step
  from (
    select table_name, row_id, user_id, cascade, after, last_step,
      case when first = 'I' and ${isWhole} then 'I' when last = 'D' then 'D' else 'U' end as operation,
      case when last = 'D' then before else before - '{version,updated_at}'::text[] end as before
    from (
      select table_name, row_id, user_id, bool_and(cascade) as cascade, max(step) as last_step,
        (array_agg(operation order by step, line))[1] as first, (array_agg(operation order by step desc, line desc))[1] as last,
        app.merge_images(before order by step desc, line desc) as before, app.merge_images(after order by step, line) as after
      from journal where change = $1 group by table_name, row_id, user_id
    ) effect
    where not (${isWhole} and first = 'I' and last = 'D')
  ) net`

/**
 * Returns SQL that converts old values to the current columns, if a migration has changed columns since the change set `$1`.
 * `app.uuid_floor` returns the smallest id of a time.
 */
const withCurrentColumns = (image: string): string => `case
  when exists (select from app.column_changes where $1::uuid < app.uuid_floor(at)) then app.image_now($1, table_name, ${image}) else ${image} end`

/** Removes all rows except the deleted row `row` and the rows that were deleted or unlinked with it by cascade. */
async function removeOtherRows({ row, group }: RestoredRow): Promise<void> {
  await runOnUndoTables('drop table if exists pg_temp.undo_parents')
  await runOnUndoTables('create temporary table undo_parents (table_name text, row_id uuid) on commit drop')
  if (group !== undefined) await runOnUndoTables(insertRestoredParentsSql, [group])
  await runOnUndoTables('select app.run_with_hash_joins($1, $2)', [
    // `c` are rows that were deleted or unlinked by cascade, `p` are restored parents, `i` are rows that stay in `undo_net`
    `with recursive links as materialized (select child, parent, column_name from app.journal_links),
     children as materialized (
       select n.table_name, n.row_id, n.operation, l.parent as parent_table, n.before ->> l.column_name as parent_id
       from undo_net n join links l on l.child = n.table_name where n.cascade
     ), included as (
       select table_name, row_id, operation from undo_net where row_id = $1 and operation = 'D'
       union
       select c.table_name, c.row_id, c.operation from undo_parents p
       join children c on c.parent_table = p.table_name and c.parent_id = p.row_id::text
       union
       select c.table_name, c.row_id, c.operation from included i
       join children c on c.parent_table = i.table_name and c.parent_id = i.row_id::text where i.operation = 'D'
     )
     delete from undo_net n where not exists (select from included i where i.table_name = n.table_name and i.row_id = n.row_id)`,
    row,
  ])
}

/** Inserts the rows that earlier transactions of the group `$1` have restored and to which other rows can refer. */
const insertRestoredParentsSql = `
  insert into undo_parents
  select j.table_name, j.row_id from changesets c join journal j on j.change = c.id
  where c.user_id = app.owner() and c.group_id = $1 and j.operation = 'I' and j.table_name in (select parent from app.journal_links)`
