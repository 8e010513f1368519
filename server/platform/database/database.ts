import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { errorCode } from '../error-code.ts'
import type { Row, Statement } from './batch.ts'
import { createLimiter } from './limiter.ts'
import type { SharedSlots } from './shared-slots.ts'
import { batchScope, readScope, savepointScope, transactionScope, type Caller, type Scope } from './transaction.ts'

/**
 * The only way to rows. Each function takes the caller, and `sql` inside it uses the same transaction. The work of a write may run more
 * than once: when PostgreSQL ends it because of a deadlock, it starts again.
 */
export type Database = {
  /** Reads. Each batch is a transaction of its own that refuses writes. */
  read: <T>(caller: Caller, work: () => Promise<T>) => Promise<T>
  /** Writes, all or nothing, as one change set with this label ("Deleted 2 contacts": counts and nouns, never names). */
  transaction: <T>(caller: Caller, label: string, work: () => Promise<T>) => Promise<T>
  /** Writes whose statements are all started together: one round trip, one transaction. */
  batch: <T>(caller: Caller, label: string, work: () => Promise<T>) => Promise<T>
  /**
   * A transaction that may take long: `small` when it seldom does, such as the delete of one record, `large` when it reaches many rows.
   * One of each size runs at a time for an owner, and two `large` ones for all owners, so that connections stay free for others; these
   * two are counted over all processes.
   * Like all functions here it throws `too_many_requests` when too many of the owner wait already.
   */
  longTransaction: <T>(caller: Caller, label: string, size: 'small' | 'large', work: () => Promise<T>) => Promise<T>
}

const maxLarge = 2
/** Of one owner: each waiting request stays in memory, and a large one may name many records and wait for long. */
const maxWaiting = 200
const maxLargeWaiting = 8

type OpenScope = Scope & {
  waiting: (Statement & { reject: (error: unknown) => void })[]
  isOver: boolean
  error?: Error
  /** The transaction or savepoint around this savepoint. */
  outer?: OpenScope
  /** Settles with the end of the savepoint that is open in this scope. */
  openSavepoint?: Promise<void>
}
const currentScope = new AsyncLocalStorage<OpenScope>()

/**
 * One owner gets at most half of the pool, so that others always find a connection. Without `slots`, as in a script, large transactions
 * are counted in this process alone.
 */
export function createDatabase(pool: pg.Pool, slots?: SharedSlots): Database {
  const limiter = createLimiter({ maxRunning: Math.max(1, Math.floor(pool.options.max / 2)), maxWaiting })
  const long = { small: createLimiter({ maxRunning: 1, maxWaiting }), large: createLimiter({ maxRunning: 1, maxWaiting: maxLargeWaiting }) }
  const largeOfAll = createLimiter({ maxRunning: maxLarge, maxWaiting: Infinity }) // at most one of each owner waits here
  const runLarge = <T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> =>
    slots ? slots.run('large transactions', maxLarge, signal, work) : largeOfAll.run('all', signal, work)
  const run = <T>(caller: Caller, writes: boolean, open: () => Scope, work: () => Promise<T>): Promise<T> =>
    joinOpen(caller, writes, work) ??
    // requests without an owner are not limited together
    (caller.owner === '' ? runWithRetries(open, work) : limiter.run(caller.owner, caller.queueSignal, () => runWithRetries(open, work)))
  const transaction: Database['transaction'] = (caller, label, work) => run(caller, true, () => transactionScope(pool, caller, label), work)
  return {
    read: (caller, work) => run(caller, false, () => readScope(pool, caller), work),
    transaction,
    batch: (caller, label, work) => run(caller, true, () => batchScope(pool, caller, label), work),
    longTransaction: (caller, label, size, work) =>
      joinOpen(caller, true, work) ??
      long[size].run(caller.owner, caller.queueSignal, () =>
        size === 'small' ? transaction(caller, label, work) : runLarge(caller.queueSignal, () => transaction(caller, label, work)),
      ),
  }
}

/**
 * Sends one statement in the transaction around this call and returns its rows, whose type the caller names. Statements that are
 * started together are sent in one batch. `customPlan` plans the statement for these values: for searches.
 * Rejects outside `read`, `transaction` and `batch`.
 */
export function sql<R extends Row = Row>(text: string, values?: unknown[], options?: { customPlan?: boolean }): Promise<R[]>
export function sql(text: string, values: unknown[] = [], { customPlan = false } = {}): Promise<Row[]> {
  const scope = currentScope.getStore()
  if (!scope) return Promise.reject(new Error('A store was called outside a transaction'))
  const error = errorOf(scope)
  if (error) return Promise.reject(error)
  return new Promise((resolve, reject) => {
    scope.waiting.push({ text, values, customPlan, onRows: resolve, reject })
    if (scope.waiting.length === 1) queueMicrotask(() => flush(scope))
  })
}

/**
 * Runs a part of a transaction that may fail alone: when `work` throws or one of its statements fails, all that it wrote is rolled back,
 * its journal included, and the error is thrown; the transaction can go on. Statements and savepoints that are started beside it wait
 * for its end. A deadlock still ends the whole transaction, which then runs again. Rejects outside `transaction`.
 */
export async function savepoint<T>(work: () => Promise<T>): Promise<T> {
  const outer = currentScope.getStore()
  if (!outer) throw new Error('A savepoint needs a transaction')
  while (outer.openSavepoint) await outer.openSavepoint
  const outerError = errorOf(outer)
  if (outerError) throw outerError
  const inner = savepointScope(outer)
  flush(outer)
  const { promise, resolve } = Promise.withResolvers<void>()
  outer.openSavepoint = promise
  try {
    return await runIn(inner, work, outer)
  } catch (error) {
    if (error instanceof Error && isRetried(error)) outer.error ??= error
    throw error
  } finally {
    delete outer.openSavepoint
    flush(outer)
    resolve()
  }
}

/** Why no statement can be sent any more. */
function errorOf(scope: OpenScope): Error | undefined {
  if (scope.isOver) return new Error('The transaction is over: a query was not awaited')
  return scope.error ?? (scope.outer && errorOf(scope.outer))
}

/** Sends all statements that wait as one batch. */
function flush(scope: OpenScope): void {
  if (scope.openSavepoint || scope.waiting.length === 0) return
  const statements = scope.waiting.splice(0)
  scope.send(statements).catch((error: Error) => {
    if (scope.writes) scope.error ??= error
    for (const { reject } of statements) reject(error)
  })
}

/** Runs the work in the transaction that is open around this call; undefined where none is. */
function joinOpen<T>(caller: Caller, writes: boolean, work: () => Promise<T>): Promise<T> | undefined {
  const outer = currentScope.getStore()
  if (!outer) return undefined
  if (outer.caller.owner === caller.owner && (outer.writes || !writes)) return work()
  return Promise.reject(new Error('A transaction of another owner or kind is open'))
}

/** Deadlock and serialization failure: PostgreSQL has rolled the transaction back, and it may succeed when it is run again. */
const retriedCodes = new Set(['40P01', '40001'])
const isRetried = (error: unknown): boolean => retriedCodes.has(errorCode(error))
const maxTries = 4

async function runWithRetries<T>(open: () => Scope, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await runIn(open(), work)
    } catch (error) {
      if (tries === maxTries || !isRetried(error)) throw error
    }
  }
}

async function runIn<T>(opened: Scope, work: () => Promise<T>, outer?: OpenScope): Promise<T> {
  const scope: OpenScope = Object.assign(opened, { waiting: [], isOver: false, ...(outer && { outer }) })
  let result: T
  try {
    result = await currentScope.run(scope, work)
  } catch (error) {
    scope.isOver = true
    await scope.openSavepoint
    await scope.end(true).catch(() => {}) // the connection is gone; the first error is the one to report
    throw error
  }
  scope.isOver = true
  await scope.openSavepoint
  await scope.end(scope.error !== undefined)
  if (scope.error) throw scope.error // the work caught the error, but nothing was written
  return result
}
