import { sql } from '#server/platform/database/database.ts'

/**
 * Waits until nobody else undoes, restores or erases for this owner, and keeps them waiting until the transaction ends: such work
 * reads the journal first and writes by it later, and what one brings back another must not erase in between.
 */
export async function lockHistory(): Promise<void> {
  await sql(`select pg_advisory_xact_lock(hashtextextended('past ' || app.owner()::text, 0))`)
}
