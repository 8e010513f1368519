import type pg from 'pg'
import { expect } from 'vitest'
import type { Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'

type Race<T> = {
  database: Database
  /** A pool of the role that owns the tables. */
  owner: pg.Pool
  caller: Caller
  /** Writes first, and is committed while `second` waits for its row lock. */
  first: () => Promise<unknown>
  /** Started between the write and the commit of `first`; it must wait for a row that `first` has locked. */
  second: () => Promise<T>
}

/** Commits `first` while `second` waits for a row lock, and returns the result of `second`. */
export async function commitDuringWait<T>(race: Race<T>): Promise<T> {
  const { database, owner, caller, first } = race
  const held = Promise.withResolvers<undefined>()
  const free = Promise.withResolvers<undefined>()
  const holding = database.transaction(caller, 'Updated', async () => {
    await first()
    held.resolve(undefined)
    await free.promise
  })
  await Promise.race([held.promise, holding])
  const second = Promise.resolve(race.second()) // a request of Fastify's inject starts when it is awaited
  second.catch(() => {}) // it may fail while `holding` is awaited; the caller gets the error
  try {
    await expect.poll(() => waitingIn(owner), { timeout: 5000 }).toBe(1)
  } finally {
    free.resolve(undefined)
    await holding
  }
  return second
}

async function waitingIn(owner: pg.Pool): Promise<number> {
  const { rowCount } = await owner.query(
    'select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()',
  )
  return rowCount ?? 0
}
