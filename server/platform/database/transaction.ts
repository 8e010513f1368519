import type pg from 'pg'
import { formatActor } from '#contract/actors.ts'
import { identityOf, type Identity } from '../identity.ts'
import { Batch, type Row, type Statement } from './batch.ts'

/** An identity and the options of a call. */
export type Caller = Identity & {
  /** The timeout of a statement, including its wait for locks; by default 15 s for a read and 60 s for a write. */
  timeoutMs?: number
  /** Cancels a running read. Writes are never cancelled. */
  readSignal?: AbortSignal
  /** Removes a waiting read or write from the queue of its owner. Has no effect after it has started. */
  queueSignal?: AbortSignal
  request?: WriteRequest
}

/**
 * The request of a write. `key` and `hash` are stored with the change set, so that a repeated request finds it. `change` is set to the id
 * of the change set after the commit. A request writes one change set; further transactions are refused.
 */
export type WriteRequest = { key?: string; hash?: string; change?: string }

/** Returns the caller for a user in their own workspace. */
export const callerFor = (owner: string): Caller => identityOf(owner, formatActor('user', owner))

/** The settings of a transaction: the owner for row security, the actor and the label for the journal. They end with the transaction. */
const setRead = `select set_config('app.owner', $1, true), set_config('app.actor', $2, true), set_config('statement_timeout', $3, true),
  set_config('transaction_read_only', 'on', true)`
const setWrite = `select set_config('app.owner', $1, true), set_config('app.actor', $2, true), set_config('statement_timeout', $3, true),
  set_config('app.label', $4, true), set_config('app.request_key', $5, true), set_config('app.request_hash', $6, true)`

const selectChange = 'select app.current_change() as change'

const readTimeoutMs = 15_000
/** Enough for a change of 10,000 records, and for an edit that waits for such a change. */
const writeTimeoutMs = 60_000

const begin: Statement = { text: 'begin' }

function settings(caller: Caller, label?: string): Statement {
  const values = [caller.owner, caller.actor, String(caller.timeoutMs ?? (label === undefined ? readTimeoutMs : writeTimeoutMs))]
  if (label === undefined) return { text: setRead, values }
  return { text: setWrite, values: [...values, label, caller.request?.key ?? '', caller.request?.hash ?? ''] }
}

function reportChange({ request }: Caller): Statement[] {
  if (!request) return []
  const onRows = ([row]: Row[]): void => {
    if (typeof row?.['change'] === 'string') request.change = row['change']
  }
  return [{ text: selectChange, onRows }]
}

function refuseSecondChange({ request }: Caller): void {
  if (request?.change !== undefined) throw new Error('A request writes one change set, and it is committed already')
}

/** An open transaction, savepoint or batch. `sql` sends its statements through it. */
export type Scope = {
  caller: Caller
  writes: boolean
  send: (statements: Statement[]) => Promise<void>
  /** Adds the statement to the start of the next batch. Only a transaction of several batches has it. */
  sendLater?: (statement: Statement) => void
  /** The number of open savepoints around this scope. */
  savepoints?: number
  /** Called once, after the work has ended. */
  end: (failed: boolean) => Promise<void>
}

/** Opens a scope whose batches are separate read-only transactions. No connection is held between batches. */
export function readScope(pool: pg.Pool, caller: Caller): Scope {
  return { caller, writes: false, send: (statements) => sendAlone(pool, caller, [settings(caller), ...statements]), end: async () => {} }
}

/** Opens a transaction of several batches. BEGIN is sent with the first batch. */
export function transactionScope(pool: pg.Pool, caller: Caller, label: string): Scope {
  refuseSecondChange(caller)
  let client: Promise<pg.PoolClient> | undefined
  const later: Statement[] = [begin, settings(caller, label)]
  return {
    caller,
    writes: true,
    sendLater: (statement) => void later.push(statement),
    send: async (statements) => {
      client ??= pool.connect()
      const batch = new Batch([...later.splice(0), ...statements])
      const connection = await client
      connection.query(batch)
      await batch.completed
    },
    end: async (failed) => {
      const connection = await client?.catch(() => undefined)
      if (!connection) return
      const last = new Batch(failed ? [{ text: 'rollback' }] : [...later, ...reportChange(caller), { text: 'commit' }])
      connection.query(last)
      await release(connection, last)
    },
  }
}

/**
 * Opens a savepoint. SAVEPOINT is sent with its first statements and RELEASE with the next statements of the transaction, so that a
 * savepoint that succeeds needs no additional round trip.
 */
export function savepointScope(outer: Scope): Scope {
  const { sendLater, savepoints = 0 } = outer
  if (!sendLater) throw new Error('A savepoint needs a transaction')
  const name = `savepoint_${savepoints + 1}`
  let isSet = false
  return {
    caller: outer.caller,
    writes: true,
    sendLater,
    savepoints: savepoints + 1,
    send: (statements) => {
      const first = isSet ? [] : [{ text: `savepoint ${name}` }]
      isSet = true
      return outer.send([...first, ...statements])
    },
    end: async (failed) => {
      if (!isSet) return
      if (!failed) return sendLater({ text: `release savepoint ${name}` })
      await outer.send([{ text: `rollback to savepoint ${name}` }, { text: `release savepoint ${name}` }])
    },
  }
}

/** Opens a transaction of one batch, which needs one round trip. A second batch is refused. */
export function batchScope(pool: pg.Pool, caller: Caller, label: string): Scope {
  refuseSecondChange(caller)
  let sent = false
  return {
    caller,
    writes: true,
    send: (statements) => {
      if (sent) return Promise.reject(new Error('Statements that come later need a transaction'))
      sent = true
      return sendAlone(pool, caller, [settings(caller, label), ...statements, ...reportChange(caller)])
    },
    end: async () => {},
  }
}

async function sendAlone(pool: pg.Pool, caller: Caller, statements: Statement[]): Promise<void> {
  caller.readSignal?.throwIfAborted()
  const connection = await pool.connect()
  if (caller.readSignal?.aborted) connection.release()
  caller.readSignal?.throwIfAborted() // the client may have disconnected while the read waited for a connection
  const batch = new Batch(statements)
  let cancelled = false
  const cancel = (): void => {
    cancelled = true
    pool.query('select pg_cancel_backend($1)', [connection.processID]).catch(() => {})
  }
  caller.readSignal?.addEventListener('abort', cancel)
  connection.query(batch)
  try {
    await release(connection, batch, () => cancelled) // closes a cancelled connection, because a late cancel would end the next query on it
  } finally {
    caller.readSignal?.removeEventListener('abort', cancel)
  }
}

/** Returns the connection to the pool after the batch. Closes it if `mustClose` returns true or if it is not usable any more. */
async function release(connection: pg.PoolClient, batch: Batch, mustClose: () => boolean = () => false): Promise<void> {
  try {
    await batch.completed
    connection.release(mustClose())
  } catch (error) {
    connection.release(mustClose() || !isUsableAfter(error))
    throw error
  }
}

/** After an ERROR of the server the connection is usable; after FATAL or a lost socket it is not. */
const isUsableAfter = (error: unknown): boolean => error instanceof Error && 'severity' in error && error.severity === 'ERROR'
