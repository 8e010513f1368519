import { sql } from '#server/platform/database/database.ts'

/**
 * Waits until no other transaction undoes, restores or erases for this owner, and locks them out until this one ends: they read the
 * journal first and write later, and a row that one restores must not be erased in between.
 */
export async function lockHistory(): Promise<void> {
  await sql(`select pg_advisory_xact_lock(hashtextextended('history ' || app.owner()::text, 0))`)
}
