// Tables whose changes a caller may not revert.
import { sql } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/refusal.ts'

/**
 * Throws `scope_missing` if the change, or the change that it undoes or redoes, has written rows of these tables. A large delete that is
 * still running has only unlinked other rows from them. Must be called inside `read` or `transaction`.
 */
export async function refuseChangeOfTables(tables: readonly string[], owner: string, changeId: string): Promise<void> {
  if (tables.length === 0) return
  const found = await sql(
    `with recursive below as (
       select id, undo_of from changesets where user_id = $1 and id = $2
       union all
       select c.id, c.undo_of from below b join changesets c on c.id = b.undo_of
     ), parts as (
       select id from below union all select m.id from below b join changesets m on m.user_id = $1 and m.group_id = b.id
     ), links as materialized (
       select child, column_name from app.journal_links where parent = any($3)
     )
     select from journal j where j.change = any(array(select id from parts)) and (
       j.table_name = any($3)
       or (j.cascade and j.operation = 'U' and exists (select from links l where l.child = j.table_name and j.before ? l.column_name)))
     limit 1`,
    [owner, changeId, tables],
  )
  if (found.length > 0) throw new Refusal('scope_missing')
}

/** Throws `scope_missing` if the row, which may be deleted, is in one of these tables. Must be called inside `read` or `transaction`. */
export async function refuseRowOfTables(tables: readonly string[], owner: string, row: string): Promise<void> {
  if (tables.length === 0) return
  const found = await sql('select from journal where user_id = $1 and row_id = $2 and table_name = any($3) limit 1', [owner, row, tables])
  if (found.length > 0) throw new Refusal('scope_missing')
}
