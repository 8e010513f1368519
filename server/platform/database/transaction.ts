import type pg from 'pg'
import { formatActor } from '#contract/actors.ts'
import { identityOf, type Identity } from '../identity.ts'
import { Batch, type Row, type Statement } from './batch.ts'

/** An identity and the options of a call. */
export type Caller = Identity & {
  /** Limit of one statement, including its wait for locked rows; by default 15 s for a read and 60 s for a write. */
  timeoutMs?: number
  /** Cancels a running read. Writes are never cancelled. */
  readSignal?: AbortSignal
  /** Removes a read or a write from the queue of its owner. Has no effect once it runs. */
  queueSignal?: AbortSignal
  request?: WriteRequest
}

/**
 * The request behind a write. `key` and `hash` are stored with the change set, so that a repeat of the request finds it. `change` becomes
 * the id of the change set after the commit; a request writes one, so later transactions are refused.
 */
export type WriteRequest = { key?: string; hash?: string; change?: string }

/** The user in their own workspace. */
export const callerFor = (owner: string): Caller => identityOf(owner, formatActor('user', owner))

/** Begins a transaction: the owner for row security, the actor and label for the journal. All settings end with the transaction. */
const setRead = `select set_config('app.owner', $1, true), set_config('app.actor', $2, true), set_config('statement_timeout', $3, true),
  set_config('transaction_read_only', 'on', true)`
const setWrite = `select set_config('app.owner', $1, true), set_config('app.actor', $2, true), set_config('statement_timeout', $3, true),
  set_config('app.label', $4, true), set_config('app.request_key', $5, true), set_config('app.request_hash', $6, true)`

const selectChange = 'select app.current_change() as change'

const readTimeoutMs = 15_000
/** Enough for a change of ten thousand records, and for an edit of one record that waits for such a change. */
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

/** Where `sql` sends its statements. */
export type Scope = {
  caller: Caller
  writes: boolean
  send: (statements: Statement[]) => Promise<void>
  /** Sends the statement in front of the next batch. Only a transaction of several batches has it. */
  sendLater?: (statement: Statement) => void
  /** How many savepoints are open around it. */
  savepoints?: number
  /** Called once, after the work has ended. */
  end: (failed: boolean) => Promise<void>
}

/** Every batch is a transaction of its own that refuses writes; no connection is held between batches. */
export function readScope(pool: pg.Pool, caller: Caller): Scope {
  return { caller, writes: false, send: (statements) => sendAlone(pool, caller, [settings(caller), ...statements]), end: async () => {} }
}

/** One transaction of several batches. BEGIN is part of the first. */
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
 * A part of a transaction that can be rolled back alone. SAVEPOINT is sent with its first statements, and RELEASE with the next ones of
 * the transaction, so that a part that succeeds costs no round trip of its own.
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

/** One batch that is the whole transaction: one round trip. A second batch is refused. */
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
  caller.readSignal?.throwIfAborted() // the client may have left while it waited for a connection
  const batch = new Batch(statements)
  let cancelled = false
  const cancel = (): void => {
    cancelled = true
    pool.query('select pg_cancel_backend($1)', [connection.processID]).catch(() => {})
  }
  caller.readSignal?.addEventListener('abort', cancel)
  connection.query(batch)
  try {
    await release(connection, batch, () => cancelled) // a late cancel must not hit the connection's next user
  } finally {
    caller.readSignal?.removeEventListener('abort', cancel)
  }
}

/** Returns the connection to the pool when the batch is done; closes it when `mustClose` or when it cannot be used any more. */
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
