import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'
import { errorCode } from '../error-code.ts'
import { Refusal } from '../refusal.ts'
import type { Row, Statement } from './batch.ts'
import { createLimiter, type Limiter } from './limiter.ts'
import type { SharedSlots } from './shared-slots.ts'
import {
  startBatch,
  startRead,
  startSavepoint,
  startSnapshot,
  startTransaction,
  type Caller,
  type OpenTransaction,
  type WriteSpace,
} from './transaction.ts'
import { createWaitingCalls } from './waiting-calls.ts'

/**
 * The access to all rows. Calls of `sql` in `work` use the transaction of the function that runs `work`. The `work` of a write may run more
 * than once, because it is retried after a deadlock or a serialization failure.
 */
export type Database = {
  /** Reads. Each batch is a separate read-only transaction. */
  read: <T>(caller: Caller, work: () => Promise<T>) => Promise<T>
  /**
   * Reads in one read-only transaction, in which all batches see the same state. It holds a connection, so `work` may wait for a disk but
   * not for another server or a client. At most two snapshots run at the same time, counted over all owners and all processes.
   */
  snapshot: <T>(caller: Caller, work: () => Promise<T>) => Promise<T>
  /**
   * Writes in one transaction and one change set. `label`: counts and nouns, never names of people, such as "Deleted 2 contacts"; empty if
   * no journaled row is written. `work` must not wait for anything outside the database, such as another server or a client:
   * PostgreSQL ends a transaction that is idle for a minute.
   */
  transaction: <T>(caller: Caller, label: string, work: () => Promise<T>) => Promise<T>
  /** Writes in one transaction with one round trip. All statements must be started together. */
  batch: <T>(caller: Caller, label: string, work: () => Promise<T>) => Promise<T>
  /**
   * A transaction that may take long. `small`: rarely long, such as the delete of one record. `large`: writes many rows. An owner runs at
   * most one of each size at a time. All owners together run at most two `large` transactions, counted over all processes, so that
   * connections stay free. Like all functions of `Database` it throws `too_many_requests` if too many calls of the owner are waiting, and
   * `overloaded` if too many calls of all owners are waiting. A `large` transaction throws `disk_low` while the disk has little space,
   * unless `freesSpace` of the caller is set.
   */
  longTransaction: <T>(caller: Caller, label: string, size: 'small' | 'large', work: () => Promise<T>) => Promise<T>
}

/** How many large transactions, and how many snapshots, run at the same time in all processes together. */
const maxLarge = 2
const maxSnapshots = 2
/**
 * How many large transactions of one process may hold a shared slot or wait for one; the same limit applies to snapshots. Further
 * transactions and snapshots wait in a queue of the process. A shared slot is a permit that is counted over all processes.
 */
const maxSlotRequests = 4
/** Limits of one owner. A waiting request stays in memory; a large request may contain many ids and wait long. */
const maxWaiting = 200
const maxLargeWaiting = 8
/** Limits of all owners together: calls that wait in this process, and the bodies of their requests. */
const maxWaitingOfAll = { maxCalls: 2000, maxBytes: 64 * 1024 * 1024 }

/** An open transaction, savepoint or batch while its work runs. */
type CurrentTransaction = OpenTransaction & {
  /** The statements of the next batch. */
  waiting: (Statement & { reject: (error: unknown) => void })[]
  /** The work has ended, so further statements are refused. */
  isOver: boolean
  /** The first error of a statement. It rolls back the transaction, even if the work catches it. */
  error?: Error
  /** The transaction or savepoint around this savepoint. */
  outer?: CurrentTransaction
  /** Resolves when the savepoint that is open directly in this transaction ends; undefined if there is none. */
  savepointEnd?: Promise<void>
}
const currentTransaction = new AsyncLocalStorage<CurrentTransaction>()

/** For scripts and tests, whose writes have no limits. */
const unlimitedSpace: WriteSpace = {
  readDisk: () => 'enough',
  readRemainingBytes: () => undefined,
  reportFull: () => {},
  countWritten: () => {},
}

/**
 * Creates the database access. One owner uses at most half of the pool, so that connections stay free for others. When all connections are
 * in use, the owners take turns. Without `slots`, as in a script, large transactions are counted in this process only, and snapshots are
 * not limited. `space`: the free disk space and the quota, which limit writes.
 */
export function createDatabase(pool: pg.Pool, slots?: SharedSlots, space: WriteSpace = unlimitedSpace): Database {
  const { max } = pool.options
  const waitingCalls = createWaitingCalls(maxWaitingOfAll)
  const limiter = createLimiter({ maxRunning: Math.max(1, Math.floor(max / 2)), maxRunningOfAll: max, maxWaiting, waitingCalls })
  /** The queues of `longTransaction`, by the size of the transaction. */
  const longQueues = {
    small: createLimiter({ maxRunning: 1, maxWaiting, waitingCalls }),
    large: createLimiter({
      maxRunning: 1,
      maxRunningOfAll: slots ? maxSlotRequests : maxLarge,
      maxWaitForOthersMs: Infinity, // large transactions of other owners may take minutes
      maxWaiting: maxLargeWaiting,
      waitingCalls,
    }),
  }
  const snapshots = createLimiter({
    maxRunning: maxSnapshots,
    maxRunningOfAll: maxSlotRequests,
    maxWaitForOthersMs: Infinity,
    maxWaiting: maxLargeWaiting,
    waitingCalls,
  })
  const runInTurn = <T>(
    queue: Limiter,
    { owner, queueName = owner, queueSignal, queueBytes }: Caller,
    work: () => Promise<T>,
  ): Promise<T> => queue.run(queueName, { signal: queueSignal, bytes: queueBytes }, work)
  const runLarge = <T>({ owner, queueSignal }: Caller, work: () => Promise<T>): Promise<T> =>
    slots
      ? slots.run(`large transactions of ${owner}`, 1, queueSignal, () => slots.run('large transactions', maxLarge, queueSignal, work))
      : work()
  const runSnapshot = <T>(caller: Caller, work: () => Promise<T>): Promise<T> =>
    slots ? runInTurn(snapshots, caller, () => slots.run('snapshots', maxSnapshots, caller.queueSignal, work)) : work()
  /** Runs the work in the current transaction, or else in a new one when it is the owner's turn. */
  const run = <T>(caller: Caller, mode: { isWrite: boolean }, open: () => OpenTransaction, work: () => Promise<T>): Promise<T> =>
    joinOpen(caller, mode, work) ?? reportFullDisk(runInTurn(limiter, caller, () => runWithRetries(open, work)))
  const reportFullDisk = <T>(result: Promise<T>): Promise<T> =>
    result.catch((error: unknown) => {
      if (errorCode(error) === diskFull) space.reportFull()
      throw error
    })
  const transaction: Database['transaction'] = (caller, label, work) =>
    run(caller, { isWrite: true }, () => startTransaction(pool, caller, label, space), work)
  const refuseOnLowDisk =
    <T>({ freesSpace }: Caller, work: () => Promise<T>) =>
    (): Promise<T> => {
      if (freesSpace || space.readDisk() === 'enough') return work()
      return Promise.reject(new Refusal('disk_low'))
    }
  return {
    read: (caller, work) => run(caller, { isWrite: false }, () => startRead(pool, caller), work),
    snapshot: (caller, work) =>
      joinOpen(caller, { isWrite: false }, work) ??
      runSnapshot(caller, () => run(caller, { isWrite: false }, () => startSnapshot(pool, caller), work)),
    transaction,
    batch: (caller, label, work) => run(caller, { isWrite: true }, () => startBatch(pool, caller, label, space), work),
    longTransaction: (caller, label, size, work) =>
      joinOpen(caller, { isWrite: true }, work) ??
      runInTurn(longQueues[size], caller, () =>
        size === 'small'
          ? transaction(caller, label, work)
          : runLarge(caller, () => transaction(caller, label, refuseOnLowDisk(caller, work))),
      ),
  }
}

/**
 * Runs a statement in the current transaction and returns its rows. `R` is the type of a row, which is not checked. Statements that are
 * started together are sent in one batch and run in the order in which they were started. With `customPlan` PostgreSQL makes a new plan for
 * the values, as searches need. Rejects outside the functions of `Database`.
 */
export function sql<R extends Row = Row>(text: string, values?: unknown[], options?: { customPlan?: boolean }): Promise<R[]>
export function sql(text: string, values: unknown[] = [], { customPlan = false } = {}): Promise<Row[]> {
  const transaction = currentTransaction.getStore()
  if (!transaction) return Promise.reject(new Error('A statement was started outside a transaction'))
  const error = findError(transaction)
  if (error) return Promise.reject(error)
  return new Promise((resolve, reject) => {
    transaction.waiting.push({ text, values, customPlan, onRows: resolve, reject })
    // runs after all code that can start other statements of the batch without waiting for a response
    if (transaction.waiting.length === 1) queueMicrotask(() => process.nextTick(flush, transaction))
  })
}

/**
 * Runs a part of a transaction that can fail separately: if `work` throws or one of its statements fails, its writes are rolled back,
 * including their journal lines, and the error is thrown; the transaction can continue. Statements and savepoints that are started in the
 * meantime wait until it ends. After a deadlock the whole transaction is retried. Rejects outside `transaction`.
 */
export async function savepoint<T>(work: () => Promise<T>): Promise<T> {
  const outer = currentTransaction.getStore()
  if (!outer) throw new Error('A savepoint needs a transaction')
  while (outer.savepointEnd) await outer.savepointEnd
  const outerError = findError(outer)
  if (outerError) throw outerError
  const inner = startSavepoint(outer)
  flush(outer)
  const { promise, resolve } = Promise.withResolvers<void>()
  outer.savepointEnd = promise
  try {
    return await runInTransaction(inner, work, outer)
  } catch (error) {
    if (error instanceof Error && isRetried(error)) outer.error ??= error
    throw error
  } finally {
    delete outer.savepointEnd
    flush(outer)
    resolve()
  }
}

/** Returns the error that prevents further statements in this transaction or in a transaction around it, if any. */
function findError(transaction: CurrentTransaction): Error | undefined {
  if (transaction.isOver) return new Error('The transaction is over: a query was not awaited')
  return transaction.error ?? (transaction.outer && findError(transaction.outer))
}

/** Sends all waiting statements in one batch, or none of them if the work has failed already. */
function flush(transaction: CurrentTransaction): void {
  if (transaction.savepointEnd || transaction.waiting.length === 0) return
  const statements = transaction.waiting.splice(0)
  const earlierError = findError(transaction)
  if (earlierError) {
    for (const { reject } of statements) reject(earlierError)
    return
  }
  transaction.send(statements).catch((error: Error) => {
    if (transaction.canWrite) transaction.error ??= error
    for (const { reject } of statements) reject(error)
  })
}

/**
 * Runs the work in the current transaction. Returns undefined if there is no current transaction. Rejects if the current transaction
 * belongs to another owner, or if it is a read and the work is a write.
 */
function joinOpen<T>(caller: Caller, { isWrite }: { isWrite: boolean }, work: () => Promise<T>): Promise<T> | undefined {
  const outer = currentTransaction.getStore()
  if (!outer) return undefined
  if (outer.caller.owner === caller.owner && (outer.canWrite || !isWrite)) return work()
  return Promise.reject(new Error('A transaction of another owner or kind is open'))
}

/** The codes of a deadlock and a serialization failure. PostgreSQL has rolled back the transaction, and a retry may succeed. */
const retriedCodes = new Set(['40P01', '40001'])
const isRetried = (error: unknown): boolean => retriedCodes.has(errorCode(error))
const maxAttempts = 4
/** The code of PostgreSQL for a full disk. */
const diskFull = '53100'

/** Runs the work in a new transaction, and again after a deadlock or a serialization failure, at most four times. */
async function runWithRetries<T>(open: () => OpenTransaction, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runInTransaction(open(), work)
    } catch (error) {
      if (attempt === maxAttempts || !isRetried(error)) throw error
    }
  }
}

/** Runs the work in the opened transaction or savepoint, and ends it. `outer`: the transaction around a savepoint. */
async function runInTransaction<T>(opened: OpenTransaction, work: () => Promise<T>, outer?: CurrentTransaction): Promise<T> {
  const transaction: CurrentTransaction = Object.assign(opened, { waiting: [], isOver: false, ...(outer && { outer }) })
  let result: T
  try {
    result = await currentTransaction.run(transaction, work)
  } catch (error) {
    transaction.isOver = true
    await transaction.savepointEnd
    await transaction.end({ hasFailed: true }).catch(() => {}) // the connection may be lost; the first error is reported
    throw error
  }
  transaction.isOver = true
  await transaction.savepointEnd
  await transaction.end({ hasFailed: transaction.error !== undefined })
  if (transaction.error) throw transaction.error // the work caught this error, but `end` has rolled back
  return result
}
