import type pg from 'pg'
import { expect } from 'vitest'
import type { Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'

type ConcurrentWrites<T> = {
  database: Database
  /** A pool of the role that owns the tables. */
  tableOwner: pg.Pool
  caller: Caller
  /** Runs in a transaction, which is committed while `second` waits for a row that `first` has locked. */
  first: () => Promise<unknown>
  /** Started after the writes of `first` and before its commit. It must write a row that `first` has locked. */
  second: () => Promise<T>
}

/** Commits `first` while `second` waits for a row lock, and returns the result of `second`. */
export async function commitDuringWait<T>(writes: ConcurrentWrites<T>): Promise<T> {
  const { database, tableOwner, caller, first } = writes
  const firstHasWritten = Promise.withResolvers<undefined>()
  const mayCommit = Promise.withResolvers<undefined>()
  const firstTransaction = database.transaction(caller, 'Updated', async () => {
    await first()
    firstHasWritten.resolve(undefined)
    await mayCommit.promise
  })
  await Promise.race([firstHasWritten.promise, firstTransaction])
  // `Promise.resolve` starts a request of Fastify's `inject`, which otherwise starts only when something awaits it
  const second = Promise.resolve(writes.second())
  second.catch(() => {}) // `second` may fail before this function awaits it; the caller gets the error
  try {
    await expect.poll(() => countWaitingLocks(tableOwner), { timeout: 5000 }).toBe(1)
  } finally {
    mayCommit.resolve(undefined)
    await firstTransaction
  }
  return second
}

async function countWaitingLocks(tableOwner: pg.Pool): Promise<number> {
  const { rowCount } = await tableOwner.query(
    'select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()',
  )
  return rowCount ?? 0
}
