import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { errorCode } from '../error-code.ts'
import type { Row, Statement } from './batch.ts'
import { batchScope, readScope, transactionScope, type Scope, type Caller } from './transaction.ts'
import { createLimiter, runLimited } from './limiter.ts'

/**
 * The only way to rows. Each function says for whom, and `sql` inside it reaches the same transaction. The work of a write may run more
 * than once: one that the database gave up for another is done again from its beginning.
 */
export type Database = {
  /** Reads: each flight is a transaction of its own that carries the owner and refuses writes. */
  read: <T>(caller: Caller, work: () => Promise<T>) => Promise<T>
  /** Writes, all or nothing, as one change set with this label ("Deleted 2 contacts": counts and nouns, never names). */
  transaction: <T>(caller: Caller, label: string, work: () => Promise<T>) => Promise<T>
  /** Writes whose statements are all started together: one round trip, one transaction. */
  batch: <T>(caller: Caller, label: string, work: () => Promise<T>) => Promise<T>
  /**
   * A transaction that may take long: `small` when it seldom does, such as the delete of one record, `large` when it reaches many rows.
   * One owner has one of each under way at a time, and two `large` ones of all owners are, so that everybody else finds room meanwhile.
   * Like all verbs it throws `too_many_requests` when too much of the owner waits already.
   */
  longTransaction: <T>(caller: Caller, label: string, size: 'small' | 'large', work: () => Promise<T>) => Promise<T>
}

const maxLarge = 2
/** What may wait of one owner: each holds a request in memory, and a large one may name much and wait for long. */
const maxWaiting = 200
const maxLargeWaiting = 8

type Open = Scope & { waiting: (Statement & { fail: (error: unknown) => void })[]; over: boolean; error?: Error }
const ambient = new AsyncLocalStorage<Open>()

/** One owner gets at most half of the pool, so that others always find room. */
export function createDatabase(pool: pg.Pool): Database {
  const turns = createLimiter({ most: Math.max(1, Math.floor(pool.options.max / 2)), maxWaiting })
  const run = <T>(caller: Caller, writes: boolean, open: () => Scope, work: () => Promise<T>): Promise<T> =>
    joining(caller, writes, work) ??
    // whoever is not known yet is not one owner
    (caller.owner === '' ? runAgain(open, work) : runLimited(turns, caller.owner, caller.queueSignal, () => runAgain(open, work)))
  const transaction: Database['transaction'] = (caller, label, work) => run(caller, true, () => transactionScope(pool, caller, label), work)
  const lines = { small: createLimiter({ most: 1, maxWaiting }), large: createLimiter({ most: 1, maxWaiting: maxLargeWaiting }) }
  const largeOfAll = createLimiter({ most: maxLarge, maxWaiting: Infinity }) // one of each owner: their lines have an end
  return {
    read: (caller, work) => run(caller, false, () => readScope(pool, caller), work),
    transaction,
    batch: (caller, label, work) => run(caller, true, () => batchScope(pool, caller, label), work),
    longTransaction: (caller, label, size, work) =>
      joining(caller, true, work) ??
      runLimited(lines[size], caller.owner, caller.queueSignal, () =>
        size === 'small'
          ? transaction(caller, label, work)
          : runLimited(largeOfAll, 'all', caller.queueSignal, () => transaction(caller, label, work)),
      ),
  }
}

/**
 * Sends one statement in the transaction around this call and answers its rows, whose shape the caller names.
 * Statements started together travel together. `fresh` plans anew for these values: for searches.
 * Refused outside `read`, `transaction` and `atOnce`.
 */
export function sql<R extends Row = Row>(text: string, values?: unknown[], options?: { fresh?: boolean }): Promise<R[]>
export function sql(text: string, values: unknown[] = [], { fresh = false } = {}): Promise<Row[]> {
  const scope = ambient.getStore()
  if (!scope) return Promise.reject(new Error('A store was called outside a transaction'))
  if (scope.over) return Promise.reject(new Error('The transaction is over: a query was not awaited'))
  if (scope.error) return Promise.reject(scope.error)
  return new Promise((resolve, reject) => {
    scope.waiting.push({ text, values, fresh, done: resolve, fail: reject })
    if (scope.waiting.length === 1) queueMicrotask(() => send(scope))
  })
}

/** Everything that was started in one turn goes out in one flight. */
function send(scope: Open): void {
  const statements = scope.waiting.splice(0)
  scope.send(statements).catch((error: Error) => {
    if (scope.writes) scope.error ??= error
    for (const { fail } of statements) fail(error)
  })
}

/** A verb inside a verb joins the transaction that is open; undefined where none is. */
function joining<T>(caller: Caller, writes: boolean, work: () => Promise<T>): Promise<T> | undefined {
  const outer = ambient.getStore()
  if (!outer) return undefined
  if (outer.caller.owner === caller.owner && (outer.writes || !writes)) return work()
  return Promise.reject(new Error('A transaction of another owner or kind is open'))
}

/** Writes that waited for each other, of which the database let one go: nothing of that one was kept. */
const givenUp = new Set(['40P01', '40001'])
const mostTries = 4

async function runAgain<T>(open: () => Scope, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await runAlone(open(), work)
    } catch (error) {
      if (tries === mostTries || !wasGivenUp(error)) throw error
    }
  }
}

const wasGivenUp = (error: unknown): boolean => givenUp.has(errorCode(error))

async function runAlone<T>(opened: Scope, work: () => Promise<T>): Promise<T> {
  const scope: Open = Object.assign(opened, { waiting: [], over: false })
  let result: T
  try {
    result = await ambient.run(scope, work)
  } catch (error) {
    scope.over = true
    await scope.end(true).catch(() => {}) // the connection is gone; what failed first matters
    throw error
  }
  scope.over = true
  await scope.end(scope.error !== undefined)
  if (scope.error) throw scope.error // the work swallowed an error, and nothing was kept
  return result
}
