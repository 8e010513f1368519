import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { errorCode } from '../error-code.ts'
import type { Row, Statement } from './batch.ts'
import { createLimiter } from './limiter.ts'
import type { SharedSlots } from './shared-slots.ts'
import { batchScope, readScope, savepointScope, transactionScope, type Caller, type Scope } from './transaction.ts'

/**
 * All access to rows. Each function takes the caller; calls of `sql` in `work` use the transaction. The work of a write may run more than
 * once, because it is retried after a deadlock or a serialization failure.
 */
export type Database = {
  /** Reads. Each batch is a separate read-only transaction. */
  read: <T>(caller: Caller, work: () => Promise<T>) => Promise<T>
  /** Writes in one transaction and one change set. `label`: counts and nouns, never names of people, such as "Deleted 2 contacts". */
  transaction: <T>(caller: Caller, label: string, work: () => Promise<T>) => Promise<T>
  /** Writes in one transaction with one round trip. All statements must be started together. */
  batch: <T>(caller: Caller, label: string, work: () => Promise<T>) => Promise<T>
  /**
   * A transaction that may take long. `small`: rarely long, such as the delete of one record. `large`: writes many rows. An owner runs one
   * of each size at a time. All owners together run two `large` ones, counted over all processes, so that connections stay free.
   * Like all functions of `Database` it throws `too_many_requests` if too many calls of the owner are waiting.
   */
  longTransaction: <T>(caller: Caller, label: string, size: 'small' | 'large', work: () => Promise<T>) => Promise<T>
}

const maxLarge = 2
/** Limits of one owner. A waiting request stays in memory; a large one may contain many ids and wait long. */
const maxWaiting = 200
const maxLargeWaiting = 8

type OpenScope = Scope & {
  waiting: (Statement & { reject: (error: unknown) => void })[]
  isOver: boolean
  error?: Error
  /** The transaction or savepoint around this savepoint. */
  outer?: OpenScope
  /** Settles when the savepoint that is open in this scope ends. */
  openSavepoint?: Promise<void>
}
const currentScope = new AsyncLocalStorage<OpenScope>()

/**
 * Creates the database access. One owner uses at most half of the pool, so that connections stay free for others. Without `slots`, as in
 * a script, large transactions are counted in this process only.
 */
export function createDatabase(pool: pg.Pool, slots?: SharedSlots): Database {
  const limiter = createLimiter({ maxRunning: Math.max(1, Math.floor(pool.options.max / 2)), maxWaiting })
  const long = { small: createLimiter({ maxRunning: 1, maxWaiting }), large: createLimiter({ maxRunning: 1, maxWaiting: maxLargeWaiting }) }
  const largeOfAll = createLimiter({ maxRunning: maxLarge, maxWaiting: Infinity }) // at most one call per owner waits here
  const runLarge = <T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> =>
    slots ? slots.run('large transactions', maxLarge, signal, work) : largeOfAll.run('all', signal, work)
  const run = <T>(caller: Caller, writes: boolean, open: () => Scope, work: () => Promise<T>): Promise<T> =>
    joinOpen(caller, writes, work) ??
    // calls without an owner are not limited, because they are of different clients
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
 * Runs a statement in the current transaction and returns its rows, whose type is given by the caller. Statements that are started
 * together are sent in one batch. With `customPlan` PostgreSQL plans the statement for its values, as searches need it.
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
 * Runs a part of a transaction that can fail separately: if `work` throws or one of its statements fails, its writes are rolled back,
 * including their journal lines, and the error is thrown; the transaction can continue. Statements and savepoints that are started in the
 * meantime wait until it ends. After a deadlock the whole transaction is retried. Rejects outside `transaction`.
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

/** Returns the reason why the scope cannot send statements any more, if any. */
function errorOf(scope: OpenScope): Error | undefined {
  if (scope.isOver) return new Error('The transaction is over: a query was not awaited')
  return scope.error ?? (scope.outer && errorOf(scope.outer))
}

/** Sends all waiting statements in one batch. */
function flush(scope: OpenScope): void {
  if (scope.openSavepoint || scope.waiting.length === 0) return
  const statements = scope.waiting.splice(0)
  scope.send(statements).catch((error: Error) => {
    if (scope.writes) scope.error ??= error
    for (const { reject } of statements) reject(error)
  })
}

/** Runs the work in the current transaction; returns undefined if there is none. */
function joinOpen<T>(caller: Caller, writes: boolean, work: () => Promise<T>): Promise<T> | undefined {
  const outer = currentScope.getStore()
  if (!outer) return undefined
  if (outer.caller.owner === caller.owner && (outer.writes || !writes)) return work()
  return Promise.reject(new Error('A transaction of another owner or kind is open'))
}

/** Deadlock and serialization failure: PostgreSQL has rolled back the transaction, and a retry may succeed. */
const retriedCodes = new Set(['40P01', '40001'])
const isRetried = (error: unknown): boolean => retriedCodes.has(errorCode(error))
const maxAttempts = 4

async function runWithRetries<T>(open: () => Scope, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runIn(open(), work)
    } catch (error) {
      if (attempt === maxAttempts || !isRetried(error)) throw error
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
    await scope.end(true).catch(() => {}) // the connection may be lost; the first error is reported
    throw error
  }
  scope.isOver = true
  await scope.openSavepoint
  await scope.end(scope.error !== undefined)
  if (scope.error) throw scope.error // the work caught the error, but nothing was written
  return result
}
