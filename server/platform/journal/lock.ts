import { sql } from '#server/platform/database/database.ts'

/**
 * Takes a lock of the owner until the end of the transaction, so that undo, restore and erase run one after the other. They read the
 * journal first and write later; without the lock, one of them could erase a row that another restores.
 */
export async function lockHistory(): Promise<void> {
  await sql(`select pg_advisory_xact_lock(hashtextextended('history ' || app.owner()::text, 0))`)
}
