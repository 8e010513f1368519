// The part of an undo that sets the columns of updated rows back to their old values.
// SQL aliases in this file: `n` is a row of `undo_net`, which has the net effect of the change set on one row. `r` is the current row of
// the table. `b` is a column of the row with its old value. `p` is an existing parent. `d` is a parent that this undo restores. `v` has the
// old values. A lost link is a column whose old value is the id of a row that no longer exists and that this undo does not restore.
import { sql } from '#server/platform/database/database.ts'
import {
  isNotReverted,
  systemColumns,
  matchesCurrentRow,
  quoteLiteral,
  fromCurrentRowsOn,
  hasEditedPartnerSql,
  hasPartnerSql,
  listColumns,
  lateralCurrentImage,
  quoteIdentifier,
  isUnchanged,
} from './fragments.ts'
import { selectSkipped, skipRows, runOnUndoTables, type UndoState } from './state.ts'
import type { JournaledTable } from './tables.ts'

/** Sets columns that were not edited since to their old values. `part`: either the links to other rows, or all other columns. */
export async function revertColumns(state: UndoState, part: 'links' | 'values'): Promise<void> {
  for (const table of state.tables) {
    const isLink = (column: string): boolean => table.linksToParents.some((link) => link.column === column)
    const columns = table.columns.filter((column) => !systemColumns.includes(column) && isLink(column) === (part === 'links'))
    if (columns.length === 0 || !state.hasRows(table, 'U')) continue
    if (part === 'links') await skipLostLinks(state, table)
    await storeOldValues(table, columns)
    // `app.attempt` returns false if the update violates a unique constraint
    const [result] = await sql<{ succeeded: boolean }>('select app.attempt($1) as succeeded', [updateSql(table, columns, 'undo_values')])
    if (!result?.succeeded) await revertLineByLine(state, table, columns)
  }
}

/**
 * Stores in the temporary table `undo_values` the old values of the columns that can be reverted. If the update itself selected them, it
 * could take minutes: without statistics of a new owner, PostgreSQL expects one row and compares every row with every old value.
 */
async function storeOldValues(table: JournaledTable, columns: string[]): Promise<void> {
  await runOnUndoTables('drop table if exists pg_temp.undo_values')
  await runOnUndoTables('create temporary table undo_values (user_id uuid, row_id uuid primary key, old_values jsonb) on commit drop')
  await runOnUndoTables(`insert into undo_values ${selectOldValues(table)}`, [columns])
}

/**
 * Returns the FROM clause of the columns `b` of current rows `r` that can be reverted. `$1` is the list of columns. `net`: a query instead
 * of the table `undo_net`.
 */
const fromRevertibleColumns = (table: JournaledTable, net?: string): string =>
  `from ${fromCurrentRowsOn(table, 'U', net)}, ${lateralCurrentImage}, jsonb_each(n.before) b where b.key = any ($1) and ${isUnchanged} and ${isNotReverted}
    and not ${hasEditedPartnerSql(table)}`

/** Lists the lost links as skipped. */
async function skipLostLinks(state: UndoState, table: JournaledTable): Promise<void> {
  const text = `select ${selectSkipped({ id: 'n.row_id', columns: 'array_agg(b.key)' })} ${fromRevertibleColumns(table)} and ${isLostSql(table)} group by n.row_id`
  await skipRows(state, table, 'parent_gone', text, [table.columns])
}

/** Returns SQL that is true if the column `b.key` or a partner of it (see fragments.ts) is a lost link. */
const isLostSql = (table: JournaledTable): string =>
  `(${isLostLinkSql(table, 'b.key', 'b.value')} or ${hasPartnerSql(table, isLostLinkSql(table, 'pair.partner', 'n.before -> pair.partner'))})`

/** Returns SQL that is true if the column `name` with the old value `value` is a lost link. */
function isLostLinkSql(table: JournaledTable, name: string, value: string): string {
  const conditions = table.linksToParents.map(({ column, parent }) => {
    const target = `(${value} #>> '{}')::uuid`
    return `(${name} = ${quoteLiteral(column)} and ${value} <> 'null'
      and not exists (select from ${quoteIdentifier(parent)} p where p.user_id = n.user_id and p.id = ${target})
      and not exists (select from undo_net d where d.table_name = ${quoteLiteral(parent)} and d.operation = 'D' and d.why is null and d.row_id = ${target}))`
  })
  return `(${conditions.join(' or ') || 'false'})`
}

/** Returns SQL that selects the old values of the rows' columns that can be reverted. `$1` is the list of columns. */
const selectOldValues = (table: JournaledTable, net?: string): string =>
  `select n.user_id, n.row_id, jsonb_object_agg(b.key, b.value) as old_values ${fromRevertibleColumns(table, net)} and not ${isLostSql(table)} group by 1, 2`

/**
 * Returns SQL that sets the columns to the old values. `oldValues`: the table `undo_values`, or a query with its columns. `n` is its row.
 */
function updateSql(table: JournaledTable, columns: string[], oldValues: string): string {
  const values = columns.map((column) => `v.${quoteIdentifier(column)}`).join(', ')
  return `update ${quoteIdentifier(table.name)} r set (${listColumns(columns)}) = (select ${values} from jsonb_populate_record(r.*, n.old_values) v)
    from ${oldValues} n where ${matchesCurrentRow}`
}

/** Reverts one journal line at a time, newest first. Necessary if values with a unique constraint moved between rows. */
async function revertLineByLine(state: UndoState, table: JournaledTable, columns: string[]): Promise<void> {
  const lines = await sql<{ step: number; line: number }>(
    `select step, line from journal j where change = $1 and table_name = $2 and operation = 'U'
       and exists (select from undo_net n where n.table_name = $2 and n.operation = 'U' and n.row_id = j.row_id)
     order by step desc, line desc`,
    [state.source, table.name],
    { customPlan: true },
  )
  // one journal line with the columns of `undo_net`
  const singleLine = `(select table_name, 'U' as operation, row_id, user_id, app.image_now(change, table_name, before) as before,
    app.image_now(change, table_name, after) as after, step as last_step from journal where change = $2 and step = $3 and line = $4)`
  for (const { step, line } of lines)
    await runOnUndoTables(updateSql(table, columns, `(${selectOldValues(table, singleLine)})`), [columns, state.source, step, line])
  await storeOldValues(table, columns)
  // reverts the rest: rows that the change set deleted and inserted again have no journal line with the operation `U`
  await runOnUndoTables(updateSql(table, columns, 'undo_values'))
}
