// SQL fragments of an undo. `n`: a row of `undo_net`; `r`: the current row of the table; `b`: the name and old value of a column.
import pg from 'pg'
import type { OwnedTable } from './tables.ts'

/** The net effect of the change set on a row: insert, update or delete. */
export type Operation = 'I' | 'U' | 'D'

export const quoted = pg.escapeIdentifier
export const literal = pg.escapeLiteral
export const names = (columns: string[]): string => columns.map((column) => quoted(column)).join(', ')

/** Columns that an undo does not compare. */
export const systemColumns = ['user_id', 'id', 'updated_at', 'version']

/** FROM clause of the rows `n` with this operation. */
export const netOf = ({ name: table }: OwnedTable, operation: Operation): string =>
  `undo_net n where n.table_name = ${literal(table)} and n.operation = '${operation}'`

/** FROM clause of the rows `n` with this operation, joined with their current rows `r`. */
export const livingOf = (table: OwnedTable, operation: Operation, net = 'undo_net'): string =>
  `${net} n join ${quoted(table.name)} r on ${isLivingRow} and n.table_name = ${literal(table.name)} and n.operation = '${operation}'`

/** Join condition of `r` and `n`. */
export const isLivingRow = 'r.user_id = n.user_id and r.id = n.row_id'

/** The current row as JSON. `offset 0` prevents the planner from computing it again for each column. */
export const currentImage = 'lateral (select to_jsonb(r) as image offset 0) current_row'

/** True if the column `b.key` has the value that the change set wrote. */
export const isUnchanged = `coalesce(current_row.image -> b.key, 'null') = coalesce(n.after -> b.key, 'null')`

/** True if the column `b.key` does not have its old value yet. */
export const isNotReverted = `coalesce(current_row.image -> b.key, 'null') <> coalesce(b.value, 'null')`
