// Deletes what tables without a journal have about rows that no undo can restore any more.
import type pg from 'pg'

/**
 * Returns SQL that is true while an undo can restore a deleted row: the journal has the values of its deletion. The purge removes these
 * values after 30 days and keeps the line; erasing the row removes the line immediately. `owner` and `row` are SQL for the ids.
 */
export const isRestorableSql = (owner: string, row: string): string =>
  `exists (select from journal j where j.user_id = ${owner} and j.row_id = ${row} and j.operation = 'D' and j.before is not null)`

/**
 * Deletes the rows of a table whose parents neither exist nor can be restored by an undo. `column` has the id of the parent, without a
 * foreign key. `tableOwner` connects as the role that owns the tables.
 */
export async function deleteOrphans(
  tableOwner: pg.Pool,
  { table, column, parent }: { table: string; column: string; parent: string },
): Promise<void> {
  await tableOwner.query(
    `delete from ${table} t where not exists (select from ${parent} p where p.user_id = t.user_id and p.id = t.${column})
       and not ${isRestorableSql('t.user_id', `t.${column}`)}`,
  )
}
