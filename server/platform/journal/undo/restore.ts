// The part of an undo that inserts the rows that the change set deleted.
// SQL aliases in this file: `n` is a row of `undo_net`, which has the net effect of the change set on one row. `r` is the current row of
// the table. `p` is an existing parent. `d` is a parent that this undo restores. `v` has the values of the restored row. `n.why` is the
// reason for which the row is skipped, null if it is not skipped.
import { matchesCurrentRow, quoteLiteral, fromCurrentRowsOn, listColumns, fromNetRowsWhere, quoteIdentifier } from './fragments.ts'
import { selectSkipped, skipRows, runOnUndoTables, type UndoState } from './state.ts'
import type { JournaledTable } from './tables.ts'

type Link = JournaledTable['linksToParents'][number]

/** Skips the deleted rows whose required parent does not exist and is not restored by this undo. */
export async function skipWithoutParent(state: UndoState): Promise<void> {
  for (const table of state.tables) {
    const required = table.linksToParents.filter((link) => link.required)
    if (required.length === 0 || !state.hasRows(table, 'D')) continue
    const missing = required.map((link) => isParentMissingSql(link)).join(' or ')
    const markRows = `update undo_net n set why = 'parent_gone'
      where n.table_name = ${quoteLiteral(table.name)} and n.operation = 'D' and n.why is null and (${missing}) returning ${selectSkipped({ id: 'n.row_id' })}`
    while ((await skipRows(state, table, 'parent_gone', markRows)) > 0); // repeats, because rows of this table may require a skipped row
  }
}

/**
 * Inserts the rows that the change set deleted, parents first and with their old ids. Skips rows that exist already. A row whose optional
 * parent does not exist is restored without the link, which is listed as skipped. The version increases, so that an edit of the old row
 * cannot overwrite the new one.
 */
export async function restoreRows(state: UndoState): Promise<void> {
  for (const table of state.tables) {
    if (!state.hasRows(table, 'D')) continue
    await skipRows(state, table, 'exists', `select ${selectSkipped({ id: 'r.id' })} from ${fromCurrentRowsOn(table, 'D')}`)
    for (const link of table.linksToParents.filter(({ required }) => !required))
      await skipRows(state, table, 'parent_gone', unlinkSql(link))
    await runOnUndoTables(insertSql(table))
  }
}

/** Returns SQL that removes the link to a missing parent from the values to restore. */
const unlinkSql = (link: Link): string => `update undo_net n set before = n.before - ${quoteLiteral(link.column)}
  where n.table_name = ${quoteLiteral(link.child)} and n.operation = 'D' and n.why is null and ${isParentMissingSql(link)}
    and not exists (select from ${quoteIdentifier(link.child)} r where ${matchesCurrentRow})
  returning ${selectSkipped({ id: 'n.row_id', columns: `array[${quoteLiteral(link.column)}]` })}`

/** Returns SQL that is true if the row had a parent that does not exist and that this undo does not restore. */
function isParentMissingSql({ column, parent }: Link): string {
  const target = `(n.before ->> ${quoteLiteral(column)})::uuid`
  return `(n.before ->> ${quoteLiteral(column)} is not null
    and not exists (select from ${quoteIdentifier(parent)} p where p.user_id = n.user_id and p.id = ${target})
    and not exists (select from undo_net d where d.table_name = ${quoteLiteral(parent)} and d.operation = 'D' and d.why is null and d.row_id = ${target}))`
}

/** Returns SQL that inserts the deleted rows that are not skipped. */
function insertSql(table: JournaledTable): string {
  const values = table.columns.map((column) => `v.${quoteIdentifier(column)}`).join(', ')
  const image = `n.before || jsonb_build_object('version', (n.before ->> 'version')::int + 1, 'updated_at', now())`
  return `insert into ${quoteIdentifier(table.name)} (${listColumns(table.columns)})
    select ${values} from (select * from ${fromNetRowsWhere(table, 'D')} and n.why is null) n,
      jsonb_populate_record(null::${quoteIdentifier(table.name)}, ${image}) v
    where not exists (select from ${quoteIdentifier(table.name)} r where ${matchesCurrentRow})
    order by n.cascade, n.row_id` // rows that were deleted by cascade come last, because the history shows the first row of a change
}
