// The part of an undo that deletes the rows that the change set inserted.
// SQL aliases in this file: `n` is a row of `undo_net`, which has the net effect of the change set on one row. `r` is the current row of
// the table. `b` is a column of the row with its old value. `c` is a row that refers to `r`.
import {
  systemColumns,
  matchesCurrentRow,
  quoteLiteral,
  fromCurrentRowsOn,
  fromNetRowsWhere,
  lateralCurrentImage,
  quoteIdentifier,
  isUnchanged,
} from './fragments.ts'
import { selectSkipped, skipRows, runOnUndoTables, type UndoState } from './state.ts'
import type { JournaledTable } from './tables.ts'

/**
 * Deletes the rows that the change set inserted. Skips rows that were edited since or that other rows refer to, and the parents of skipped
 * rows: an undo never deletes or unlinks rows of other changes by cascade.
 */
export async function removeRows(state: UndoState): Promise<void> {
  const tables = state.tables.toReversed().filter((table) => state.hasRows(table, 'I')) // children before parents
  for (const table of tables) {
    const columns = table.columns.filter((column) => !systemColumns.includes(column))
    await runOnUndoTables(markSkippedSql(table, 'edited', isEdited), [columns])
    // without the privilege to delete, all rows of the table are skipped
    const inUse = table.hasDeletePrivilege ? isInUseSql(table) : 'true'
    // repeats, because the rows to which a skipped row refers are in use too
    while ((await runOnUndoTables(markSkippedSql(table, 'in_use', inUse))).length > 0);
  }
  for (const table of tables) {
    if (table.hasDeletePrivilege) await runOnUndoTables(deleteSql(table))
    // each of these rows has its reason in `n.why`, so the default reason is not used
    await skipRows(
      state,
      table,
      'in_use',
      `select ${selectSkipped({ id: 'n.row_id', why: 'n.why' })} from ${fromCurrentRowsOn(table, 'I')} and n.why is not null`,
    )
  }
}

/**
 * Returns SQL that deletes the rows that are not skipped. A foreign key with `on delete cascade` deletes those whose parent is deleted too.
 */
function deleteSql(table: JournaledTable): string {
  const parents = table.linksToParents.filter(({ cascades }) => cascades)
  const isDeletedWithParent = parents.map(({ parent, column }) => isRemovedSql(parent, `r.${quoteIdentifier(column)}`)).join(' or ')
  return `delete from ${quoteIdentifier(table.name)} r using ${fromNetRowsWhere(table, 'I')} and n.why is null and ${matchesCurrentRow}
    and not (${isDeletedWithParent || 'false'})`
}

/** Returns SQL that marks the inserted rows that meet the condition as skipped. */
const markSkippedSql = (table: JournaledTable, why: 'edited' | 'in_use', condition: string): string =>
  `update undo_net marked set why = '${why}' from ${fromCurrentRowsOn(table, 'I')}
    where marked.table_name = n.table_name and marked.row_id = n.row_id and marked.operation = n.operation and n.why is null and ${condition}
    returning n.row_id`

/** True if a column of `r` has another value than the change set wrote. */
const isEdited = `exists (select from jsonb_each(n.after) b, ${lateralCurrentImage} where b.key = any ($1) and not ${isUnchanged})`

/** Returns SQL that is true if `r` is referred to by a row that the undo does not delete. */
function isInUseSql(table: JournaledTable): string {
  const conditions = table.linksFromChildren.map(
    ({
      child,
      column,
    }) => `exists (select from ${quoteIdentifier(child)} c where c.user_id = r.user_id and c.${quoteIdentifier(column)} = r.id
      and not ${isRemovedSql(child, 'c.id')})`,
  )
  return `(${conditions.join(' or ') || 'false'})`
}

/** Returns SQL that is true if the undo deletes the row with this id. */
const isRemovedSql = (table: string, id: string): string =>
  `exists (select from undo_net removed where removed.table_name = ${quoteLiteral(table)} and removed.operation = 'I' and removed.why is null and removed.row_id = ${id})`
