import { sql } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { lockHistory } from './lock.ts'

/** Permanently deletes a row in the owner's trash, its children and their history. Throws `not_found` if the row is not in the trash. */
export async function eraseRow(row: string): Promise<void> {
  // the statements of a batch run in this order, so the lock is taken first
  const [, [result]] = await Promise.all([
    lockHistory(),
    sql<{ count: number }>(
      `with newest_line as (
         select table_name, operation from journal where user_id = app.owner() and row_id = $1 order by step desc, line desc limit 1
       )
       select app.erase_row(table_name, $1) as count from newest_line where operation = 'D' -- the row is in the trash`,
      [row],
    ),
  ])
  if (!result?.count) throw new Refusal('not_found')
}

/** Permanently deletes everything in the owner's trash. */
export async function eraseAll(): Promise<void> {
  // the statements of a batch run in this order, so the lock is taken first
  await Promise.all([lockHistory(), sql('select app.empty_trash()')])
}
