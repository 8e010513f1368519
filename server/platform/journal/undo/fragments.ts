// Pieces of SQL that the phases of an undo share: `n` is a row of `undo_net`, `r` the living row, `b` one of its columns before.
import pg from 'pg'
import type { Kind } from './plan.ts'
import type { OwnedTable } from './tables.ts'

export const quoted = pg.escapeIdentifier
export const literal = pg.escapeLiteral
export const names = (columns: string[]): string => columns.map((column) => quoted(column)).join(', ')

/** Columns that undo gives or leaves by itself, not by comparing. */
export const systemColumns = ['user_id', 'id', 'updated_at', 'version']

/** FROM for the net rows of a kind, as `n`. */
export const netOf = ({ name: table }: OwnedTable, kind: Kind): string =>
  `undo_net n where n.table_name = ${literal(table)} and n.kind = '${kind}'`

/** FROM for the living rows `r` of the net rows `n` of a kind. */
export const livingOf = (table: OwnedTable, kind: Kind, net = 'undo_net'): string =>
  `${net} n join ${quoted(table.name)} r on ${here} and n.table_name = ${literal(table.name)} and n.kind = '${kind}'`

/** The living row `r` is the one of the net row `n`. */
export const here = 'r.user_id = n.user_id and r.id = n.row_id'

/** The row as it stands; fenced, because it would be made anew for each of its columns. */
export const present = 'lateral (select to_jsonb(r) as image offset 0) present'

/** Nobody has touched the column `b.key` since. */
export const untouched = `coalesce(present.image -> b.key, 'null') = coalesce(n.after -> b.key, 'null')`

/** And it is not back already. */
export const away = `coalesce(present.image -> b.key, 'null') <> coalesce(b.value, 'null')`
