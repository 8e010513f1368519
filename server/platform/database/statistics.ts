import type pg from 'pg'

/**
 * Returns a function that updates the statistics of tables to which a job adds many rows. Call it with the number of rows added so far; it
 * works each time this number has doubled, for the tables that had fewer rows than that when their statistics were made. Autovacuum would
 * do it up to 15 s later, and until then PostgreSQL uses plans that it made for an almost empty table: a check of a foreign key, for
 * example, then reads all rows of the owner. `tables` are names from our code, never input.
 */
export function createStatisticsUpdater(tableOwner: pg.Pool, tables: readonly string[]): (added: number) => Promise<void> {
  let nextUpdate = 0
  return async (added) => {
    if (added < nextUpdate) return
    nextUpdate = added * 2
    const { rows } = await tableOwner.query<{ name: string }>(
      'select oid::regclass::text as name from pg_class where oid = any($1::text[]::regclass[]) and reltuples < $2',
      [tables, added],
    )
    // a table on which autovacuum works at this moment is left out
    if (rows.length > 0) await tableOwner.query(`analyze (skip_locked) ${rows.map(({ name }) => name).join(', ')}`)
  }
}
