import type pg from 'pg'
import { expect } from 'vitest'
import type { Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'

type Race<T> = {
  database: Database
  /** A pool of the role that owns the tables. */
  owner: pg.Pool
  caller: Caller
  /** Writes first and is committed last. */
  theirs: () => Promise<unknown>
  /** Started in between; it must come to wait for a row that `theirs` holds. */
  mine: () => Promise<T>
}

/** Commits `theirs` at the very moment when `mine` has made up its mind and stands before the row. Answers what `mine` does. */
export async function overtake<T>(race: Race<T>): Promise<T> {
  const { database, owner, caller, theirs } = race
  const held = Promise.withResolvers<undefined>()
  const free = Promise.withResolvers<undefined>()
  const holding = database.transaction(caller, 'Updated', async () => {
    await theirs()
    held.resolve(undefined)
    await free.promise
  })
  await Promise.race([held.promise, holding])
  const mine = Promise.resolve(race.mine()) // a request of Fastify's inject starts when it is awaited
  mine.catch(() => {}) // may fail while `holding` is awaited; whoever called hears of it
  try {
    await expect.poll(() => waitingIn(owner), { timeout: 5000 }).toBe(1)
  } finally {
    free.resolve(undefined)
    await holding
  }
  return mine
}

async function waitingIn(owner: pg.Pool): Promise<number> {
  const { rowCount } = await owner.query(
    'select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()',
  )
  return rowCount ?? 0
}
