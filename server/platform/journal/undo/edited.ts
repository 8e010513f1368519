// The part of an undo that locks the rows of the change set, and skips the rows and columns that were edited since.
// SQL aliases in this file: `n` is a row of `undo_net`, which has the net effect of the change set on one row. `r` is the current row of
// the table; its columns are null if the row was deleted. `b` is a column of the row with its old value. `e.columns` are the columns of the
// row that were edited since or no longer exist, and `e.gone` is true if none of them exists. `$1` is the list of the table's columns.
import {
  isNotReverted,
  matchesCurrentRow,
  fromCurrentRowsOn,
  fromNetRowsWhere,
  hasEditedPartnerSql,
  lateralCurrentImage,
  quoteIdentifier,
  isUnchanged,
} from './fragments.ts'
import { selectSkipped, skipRows, runOnUndoTables, type UndoState } from './state.ts'

/**
 * Locks the rows that the change set inserted (I) or updated (U). They are locked in the order of their ids, so that two undos cannot
 * deadlock.
 */
export async function lockRows(state: UndoState): Promise<void> {
  for (const table of state.tables) {
    for (const operation of ['I', 'U'] as const) {
      if (!state.hasRows(table, operation)) continue
      await runOnUndoTables(
        `select count(*) from (select from ${fromCurrentRowsOn(table, operation)} order by r.id for update of r) locked`,
      )
    }
  }
}

/** Lists rows and columns that are skipped: updated rows that were deleted since, and columns that were edited since or no longer exist. */
export async function skipEdited(state: UndoState): Promise<void> {
  for (const table of state.tables) {
    if (!state.hasRows(table, 'U')) continue
    const why = `(case when r.id is null then 'deleted' when e.gone then 'column_gone' else 'edited' end)`
    const edited = `select array_agg(b.key) as columns, bool_and(not b.key = any ($1)) as gone
      from jsonb_each(n.before) b, ${lateralCurrentImage}
      where r.id is not null and (not b.key = any ($1) or (${isNotReverted} and (not ${isUnchanged} or ${hasEditedPartnerSql(table)})))`
    const text = `select ${selectSkipped({ id: 'n.row_id', why, columns: 'e.columns' })}
      from (select * from ${fromNetRowsWhere(table, 'U')}) n left join ${quoteIdentifier(table.name)} r on ${matchesCurrentRow} left join lateral (${edited}) e on true
      where r.id is null or e.columns is not null`
    await skipRows(state, table, 'edited', text, [table.columns])
  }
}
