// SQL fragments of an undo. SQL aliases: `n` is a row of `undo_net`, which has the net effect of the change set on one row. `r` is the
// current row of the table. `b` is a column of the row: `b.key` is its name, and `b.value` is its old value. An image is a row as JSON;
// `app.image_now` converts an old image to the columns that the table has now. The partner of a column is another column of the same row
// that must agree with it, such as the name of a company and the link to it.
import pg from 'pg'
import type { JournaledTable } from './tables.ts'

/** The net effect of the change set on a row: insert, update or delete. */
export type Operation = 'I' | 'U' | 'D'

export const quoteIdentifier = pg.escapeIdentifier
export const quoteLiteral = pg.escapeLiteral
/** Returns the columns as a list for SQL, such as `"name", "email"`. */
export const listColumns = (columns: string[]): string => columns.map((column) => quoteIdentifier(column)).join(', ')

/** The columns that an undo neither compares nor reverts. */
export const systemColumns = ['user_id', 'id', 'updated_at', 'version']

/** Returns `undo_net n where ...`: the rows with this operation. The caller can add conditions with `and`. */
export const fromNetRowsWhere = ({ name: table }: JournaledTable, operation: Operation): string =>
  `undo_net n where n.table_name = ${quoteLiteral(table)} and n.operation = '${operation}'`

/**
 * Returns `undo_net n join ... r on ...`: the rows with this operation and their current rows. The caller can add join conditions with
 * `and`, or a WHERE clause. `net`: a table or query instead of `undo_net`.
 */
export const fromCurrentRowsOn = (table: JournaledTable, operation: Operation, net = 'undo_net'): string =>
  `${net} n join ${quoteIdentifier(table.name)} r on ${matchesCurrentRow} and n.table_name = ${quoteLiteral(table.name)} and n.operation = '${operation}'`

/** The join condition of `r` and `n`. */
export const matchesCurrentRow = 'r.user_id = n.user_id and r.id = n.row_id'

/**
 * An item of a FROM clause after `r`: the current row as JSON (`current_row.image`). `offset 0` prevents the planner from computing the
 * JSON again for each column.
 */
export const lateralCurrentImage = 'lateral (select to_jsonb(r.*) as image offset 0) current_row'

/** True if the column `b.key` has the value that the change set wrote. */
export const isUnchanged = `coalesce(current_row.image -> b.key, 'null') = coalesce(n.after -> b.key, 'null')`

/** True if the column `b.key` does not have its old value yet. */
export const isNotReverted = `coalesce(current_row.image -> b.key, 'null') <> coalesce(b.value, 'null')`

/**
 * Returns SQL that is true if the column `b.key` has a partner for which `condition` is true. In `condition`, `pair.partner` is the name of
 * the partner.
 */
export function hasPartnerSql({ pairs }: JournaledTable, condition: string): string {
  if (pairs.length === 0) return 'false'
  const values = pairs.map(({ column, partner }) => `(${quoteLiteral(column)}, ${quoteLiteral(partner)})`).join(', ')
  return `exists (select from (values ${values}) pair (name, partner) where pair.name = b.key and ${condition})`
}

/**
 * SQL for the value that the partner had directly after the change set. The first later change of the partner has it as the old value. Null
 * if there is no later change. The operator `?` is true if the image has the column.
 */
const partnerBeforeLaterChange = `(select later.image -> pair.partner
  from (select app.image_now(change, table_name, before) as image, step, line from journal j
    where j.user_id = n.user_id and j.row_id = n.row_id and j.table_name = n.table_name and j.step > n.last_step) later
  where later.image ? pair.partner order by later.step, later.line limit 1)`

/**
 * Returns SQL that is true if a partner of the column `b.key` was edited since and does not have its old value. The first case is a partner
 * that the change set wrote too, the second case is one that it did not write.
 */
export const hasEditedPartnerSql = (table: JournaledTable): string =>
  hasPartnerSql(
    table,
    `case when n.before ? pair.partner
      then coalesce(current_row.image -> pair.partner, 'null') not in (coalesce(n.after -> pair.partner, 'null'), coalesce(n.before -> pair.partner, 'null'))
      else coalesce(current_row.image -> pair.partner, 'null') <> ${partnerBeforeLaterChange} end`,
  )
