import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { codeOf } from '../failure.ts'
import type { Row, Step } from './flight.ts'
import { atOnceScope, readScope, transactionScope, type Scope, type Who } from './transaction.ts'
import { createTurns, inTurn } from './turns.ts'

/**
 * The only way to rows. Each function says for whom, and `sql` inside it reaches the same transaction. The work of a write may run more
 * than once: one that the database gave up for another is done again from its beginning.
 */
export type Database = {
  /** Reads: each flight is a transaction of its own that carries the owner and refuses writes. */
  read: <T>(who: Who, work: () => Promise<T>) => Promise<T>
  /** Writes, all or nothing, as one change set with this label ("Deleted 2 contacts": counts and nouns, never names). */
  transaction: <T>(who: Who, label: string, work: () => Promise<T>) => Promise<T>
  /** Writes whose statements are all started together: one round trip, one transaction. */
  atOnce: <T>(who: Who, label: string, work: () => Promise<T>) => Promise<T>
  /**
   * A transaction that may take long: `small` when it seldom does, such as the delete of one record, `large` when it reaches many rows.
   * One owner has one of each under way at a time, and two `large` ones of all owners are, so that everybody else finds room meanwhile.
   * Like all verbs it throws `too_many_requests` when too much of the owner waits already.
   */
  inLine: <T>(who: Who, label: string, size: 'small' | 'large', work: () => Promise<T>) => Promise<T>
}

const mostLarge = 2
/** What may wait of one owner: each holds a request in memory, and a large one may name much and wait for long. */
const mostWaiting = 200
const mostLargeWaiting = 8

type Open = Scope & { waiting: (Step & { fail: (error: unknown) => void })[]; over: boolean; error?: Error }
const ambient = new AsyncLocalStorage<Open>()

/** One owner gets at most half of the pool, so that others always find room. */
export function createDatabase(pool: pg.Pool): Database {
  const turns = createTurns({ most: Math.max(1, Math.floor(pool.options.max / 2)), mostWaiting })
  const run = <T>(who: Who, writes: boolean, open: () => Scope, work: () => Promise<T>): Promise<T> =>
    joining(who, writes, work) ??
    // whoever is not known yet is not one owner
    (who.owner === '' ? runAgain(open, work) : inTurn(turns, who.owner, who.waiting, () => runAgain(open, work)))
  const transaction: Database['transaction'] = (who, label, work) => run(who, true, () => transactionScope(pool, who, label), work)
  const lines = { small: createTurns({ most: 1, mostWaiting }), large: createTurns({ most: 1, mostWaiting: mostLargeWaiting }) }
  const largeOfAll = createTurns({ most: mostLarge, mostWaiting: Infinity }) // one of each owner: their lines have an end
  return {
    read: (who, work) => run(who, false, () => readScope(pool, who), work),
    transaction,
    atOnce: (who, label, work) => run(who, true, () => atOnceScope(pool, who, label), work),
    inLine: (who, label, size, work) =>
      joining(who, true, work) ??
      inTurn(lines[size], who.owner, who.waiting, () =>
        size === 'small' ? transaction(who, label, work) : inTurn(largeOfAll, 'all', who.waiting, () => transaction(who, label, work)),
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
  const steps = scope.waiting.splice(0)
  scope.send(steps).catch((error: Error) => {
    if (scope.writes) scope.error ??= error
    for (const { fail } of steps) fail(error)
  })
}

/** A verb inside a verb joins the transaction that is open; undefined where none is. */
function joining<T>(who: Who, writes: boolean, work: () => Promise<T>): Promise<T> | undefined {
  const outer = ambient.getStore()
  if (!outer) return undefined
  if (outer.who.owner === who.owner && (outer.writes || !writes)) return work()
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

const wasGivenUp = (error: unknown): boolean => givenUp.has(codeOf(error))

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
