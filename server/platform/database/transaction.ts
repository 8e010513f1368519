import type pg from 'pg'
import { actorOf } from '#contract/actors.ts'
import { Batch, type Statement } from './batch.ts'

/** Whose workspace, who acts in it as `actorOf` writes it, and the options of this call. */
export type Caller = {
  owner: string
  actor: string
  /** Limit of one statement, including its wait for locked rows; by default 15 s for a read and 60 s for a write. */
  timeoutMs?: number
  /** Cancels a running read. Writes are never cancelled. */
  readSignal?: AbortSignal
  /** Removes a read or a write from the queue of its owner. Has no effect once it runs. */
  queueSignal?: AbortSignal
  /** Stored with the change set, so that a repeat of the request finds it. */
  idempotency?: { key: string; hash: string }
  /** Called with the id of the change set after the commit, if the transaction wrote one. */
  onChange?: (change: string) => void
}

/** The user in their own workspace. */
export const callerFor = (owner: string): Caller => ({ owner, actor: actorOf('user', owner) })

/** How a flight begins: the owner for row security, the actor and label for the journal. All are gone with the transaction. */
const setRead = `select set_config('app.owner', $1, true), set_config('app.actor', $2, true), set_config('statement_timeout', $3, true),
  set_config('transaction_read_only', 'on', true)`
const setWrite = `select set_config('app.owner', $1, true), set_config('app.actor', $2, true), set_config('statement_timeout', $3, true),
  set_config('app.label', $4, true), set_config('app.request_key', $5, true), set_config('app.request_hash', $6, true)`

/** The id of the change set that this transaction has opened, if it wrote anything. */
const changeOfTransaction = 'select app.current_change() as change'

const readTimeoutMs = 15_000
/** Ten thousand records on a busy machine; and as long waits an edit of one of them, which is not at fault. */
const writeTimeoutMs = 60_000

const begin: Statement = { text: 'begin' }

function settings(caller: Caller, label?: string): Statement {
  const values = [caller.owner, caller.actor, String(caller.timeoutMs ?? (label === undefined ? readTimeoutMs : writeTimeoutMs))]
  if (label === undefined) return { text: setRead, values }
  return { text: setWrite, values: [...values, label, caller.idempotency?.key ?? '', caller.idempotency?.hash ?? ''] }
}

function reportChange(caller: Caller): Statement[] {
  const { onChange } = caller
  if (!onChange) return []
  return [{ text: changeOfTransaction, done: ([row]) => typeof row?.['change'] === 'string' && onChange(row['change']) }]
}

/** What the ambient `sql` sends its statements to. */
export type Scope = {
  caller: Caller
  writes: boolean
  send: (statements: Statement[]) => Promise<void>
  /** Called once, when the function is over. */
  end: (failed: boolean) => Promise<void>
}

/** Every flight is a transaction of its own that carries the owner and refuses writes; no connection is held in between. */
export function readScope(pool: pg.Pool, caller: Caller): Scope {
  return { caller, writes: false, send: (statements) => sendAlone(pool, caller, [settings(caller), ...statements]), end: async () => {} }
}

/** All or nothing over several flights. BEGIN travels with the first one; COMMIT is awaited. */
export function transactionScope(pool: pg.Pool, caller: Caller, label: string): Scope {
  let client: Promise<pg.PoolClient> | undefined
  return {
    caller,
    writes: true,
    send: async (statements) => {
      const first = client === undefined
      client ??= pool.connect()
      const batch = new Batch(first ? [begin, settings(caller, label), ...statements] : statements)
      const connection = await client
      connection.query(batch)
      await batch.completed
    },
    end: async (failed) => {
      const connection = await client?.catch(() => undefined)
      if (!connection) return
      const last = new Batch(failed ? [{ text: 'rollback' }] : [...reportChange(caller), { text: 'commit' }])
      connection.query(last)
      await giveBack(connection, last)
    },
  }
}

/** One flight that is the whole transaction: one round trip. A second flight is refused. */
export function batchScope(pool: pg.Pool, caller: Caller, label: string): Scope {
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
  caller.readSignal?.throwIfAborted() // may have been aborted while it waited for a connection
  const batch = new Batch(statements)
  let cancelled = false
  const cancel = (): void => {
    cancelled = true
    pool.query('select pg_cancel_backend($1)', [connection.processID]).catch(() => {})
  }
  caller.readSignal?.addEventListener('abort', cancel)
  connection.query(batch)
  try {
    await giveBack(connection, batch, () => cancelled) // a late cancel must not hit the next user
  } finally {
    caller.readSignal?.removeEventListener('abort', cancel)
  }
}

async function giveBack(connection: pg.PoolClient, batch: Batch, spoilt: () => boolean = () => false): Promise<void> {
  try {
    await batch.completed
    connection.release(spoilt())
  } catch (error) {
    connection.release(spoilt() || !isUsableAfter(error))
    throw error
  }
}

/** The server's own refusals leave a connection usable; anything else (lost socket, FATAL) does not. */
const isUsableAfter = (error: unknown): boolean => error instanceof Error && 'severity' in error && error.severity === 'ERROR'
