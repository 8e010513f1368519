// Pieces of SQL that the phases of an undo share: `n` is a row of `undo_net`, `r` the living row, `b` one of its columns before.
import pg from 'pg'
import type { OwnedTable } from './tables.ts'

/** What the whole change set did to a row: insert, update or delete. */
export type Operation = 'I' | 'U' | 'D'

export const quoted = pg.escapeIdentifier
export const literal = pg.escapeLiteral
export const names = (columns: string[]): string => columns.map((column) => quoted(column)).join(', ')

/** Columns that undo never compares. */
export const systemColumns = ['user_id', 'id', 'updated_at', 'version']

/** FROM for the net rows of an operation, as `n`. */
export const netOf = ({ name: table }: OwnedTable, operation: Operation): string =>
  `undo_net n where n.table_name = ${literal(table)} and n.operation = '${operation}'`

/** FROM for the living rows `r` of the net rows `n` of an operation. */
export const livingOf = (table: OwnedTable, operation: Operation, net = 'undo_net'): string =>
  `${net} n join ${quoted(table.name)} r on ${isLivingRow} and n.table_name = ${literal(table.name)} and n.operation = '${operation}'`

/** The living row `r` is the one of the net row `n`. */
export const isLivingRow = 'r.user_id = n.user_id and r.id = n.row_id'

/** The living row as JSON. `offset 0` keeps the planner from building it anew for each column. */
export const currentImage = 'lateral (select to_jsonb(r) as image offset 0) current_row'

/** The column `b.key` still has the value that the change set gave it. */
export const isUnchanged = `coalesce(current_row.image -> b.key, 'null') = coalesce(n.after -> b.key, 'null')`

/** The column `b.key` does not have its old value already. */
export const isNotReverted = `coalesce(current_row.image -> b.key, 'null') <> coalesce(b.value, 'null')`
