import pg from 'pg'
import { formatActor } from '#contract/actors.ts'
import { createIdentity, type Identity } from '../identity.ts'
import { Batch, isStatementError, type Row, type Statement } from './batch.ts'
import type { DiskState } from './disk-watch.ts'

/** The identity of a caller and the options of its call. */
export type Caller = Identity & {
  /** The timeout of each statement, including its wait for locks. The default is 15 s for a read and 60 s for a write. */
  timeoutMs?: number
  /** Cancels a running read. Writes are never cancelled. */
  readSignal?: AbortSignal
  /** The timeout of each wait for a lock of a row; by default that of the statement. */
  lockTimeoutMs?: number
  /** Removes a read or write that waits in the queue of its owner. Has no effect on a read or write that has started. */
  queueSignal?: AbortSignal
  /** The queue in which the call waits, by default that of its owner. Calls without an owner should have a queue for each IP network. */
  queueName?: string
  /** The size of the body of the request in bytes, which stays in memory while the call waits. */
  queueBytes?: number
  /** The call erases data for good, so it also runs while the disk has little space. */
  freesSpace?: boolean
  request?: WriteRequest
}

/**
 * The HTTP request that causes a write. `key` and `hash` are stored with the change set, so that a repeated request finds it. `changeId` is
 * set to the id of the change set after the commit. A request writes one change set; further transactions are refused. `isRunning` is set
 * if a job continues the change after the response.
 */
export type WriteRequest = { key?: string; hash?: string; changeId?: string; isRunning?: boolean }

/**
 * The connection was lost after COMMIT was sent and before PostgreSQL confirmed it, so that the write may be stored. `cause` is the error
 * of the connection.
 */
export class UnconfirmedCommit extends Error {
  constructor(cause: unknown) {
    super('The connection to PostgreSQL was lost during COMMIT', { cause })
    this.name = 'UnconfirmedCommit'
  }
}

/** Functions that say how much an owner may write: the free space of the disk, and the quota of the owner. */
export type WriteSpace = {
  readDisk: () => DiskState
  /** Returns the bytes that are left of the owner's quota for records and journal; undefined if PostgreSQL must look them up. */
  readRemainingBytes: (owner: string) => number | undefined
  /** Called when PostgreSQL reports a full disk. */
  reportFull: () => void
  /** Called after the commit with the bytes that the write has added to the owner's records and journal. */
  countWritten: (owner: string, bytes: number) => void
}

/** Returns the caller for a user who works with their own rows. */
export const callerFor = (owner: string): Caller => createIdentity(owner, formatActor('user', owner))

// These statements set the owner for row security and the actor for the journal until the end of the transaction; for a write also its
// label.
const settingsForReadSql = `select set_config('app.owner', $1, true), set_config('app.actor', $2, true), set_config('statement_timeout', $3, true),
  set_config('transaction_read_only', 'on', true)`
const settingsForWriteSql = `select set_config('app.owner', $1, true), set_config('app.actor', $2, true), set_config('statement_timeout', $3, true),
  set_config('app.label', $4, true), set_config('app.request_key', $5, true), set_config('app.request_hash', $6, true),
  set_config('app.space', $7, true)`

/** Selects the id of the change set and the number of bytes that the transaction has written. */
const writeResultSql = `select app.current_change() as change, nullif(current_setting('app.written_bytes', true), '')::bigint as bytes`

const readTimeoutMs = 15_000
/** This timeout is long enough for a change of 10,000 records, and for an edit that waits for such a change. */
const writeTimeoutMs = 60_000

const begin: Statement = { text: 'begin' }

function buildReadSettings(caller: Caller): Statement {
  return { text: settingsForReadSql, values: settingsOf(caller, readTimeoutMs) }
}

/** Returns the statement with the settings of a write. `app.space` tells the triggers how much the owner may still write. */
function buildWriteSettings(caller: Caller, label: string, { readDisk, readRemainingBytes }: WriteSpace): Statement {
  const { key = '', hash = '' } = caller.request ?? {}
  const disk = readDisk()
  const space = disk === 'enough' ? String(readRemainingBytes(caller.owner) ?? '') : disk
  const values = [...settingsOf(caller, writeTimeoutMs), label, key, hash, space]
  if (caller.lockTimeoutMs === undefined) return { text: settingsForWriteSql, values }
  return { text: `${settingsForWriteSql}, set_config('lock_timeout', $8, true)`, values: [...values, String(caller.lockTimeoutMs)] }
}

const settingsOf = ({ owner, actor, timeoutMs }: Caller, defaultTimeoutMs: number): string[] => [
  owner,
  actor,
  String(timeoutMs ?? defaultTimeoutMs),
]

/** Reads the id of the change set and the bytes that were written. They are reported after the commit. */
function buildWriteResultQuery({ owner, request }: Caller, { countWritten }: WriteSpace): Statement {
  const onRows = ([row]: Row[]): void => {
    if (request && typeof row?.['change'] === 'string') request.changeId = row['change']
    if (typeof row?.['bytes'] === 'number') countWritten(owner, row['bytes'])
  }
  return { text: writeResultSql, onRows }
}

/** Throws if the request has written its change set already. */
function refuseSecondChange({ request }: Caller): void {
  if (request?.changeId !== undefined) throw new Error('The change set of this request is committed already, and a request writes only one')
}

/** An open transaction, savepoint or batch. `sql` sends its statements through it. */
export type OpenTransaction = {
  caller: Caller
  canWrite: boolean
  send: (statements: Statement[]) => Promise<void>
  /** Adds the statement to the start of the next batch. Missing for a read and for a transaction of one batch. */
  sendLater?: (statement: Statement) => void
  /** 0 or undefined for a transaction, 1 for a savepoint in it, 2 for a savepoint in that savepoint. */
  savepointDepth?: number
  /** Called once, after the work has ended. */
  end: (outcome: { hasFailed: boolean }) => Promise<void>
}

/** Starts a read, in which each batch is a separate read-only transaction. No connection is held between batches. */
export function startRead(pool: pg.Pool, caller: Caller): OpenTransaction {
  return {
    caller,
    canWrite: false,
    send: (statements) => sendAlone(pool, caller, new Batch([buildReadSettings(caller), ...statements])),
    end: async () => {},
  }
}

/** Starts a read of several batches that all see the same state of the database. A connection is held from the first batch to the end. */
export function startSnapshot(pool: pg.Pool, caller: Caller): OpenTransaction {
  let client: Promise<pg.PoolClient> | undefined
  const first: Statement[] = [{ text: 'begin isolation level repeatable read read only' }, buildReadSettings(caller)]
  return {
    caller,
    canWrite: false,
    send: async (statements) => {
      caller.readSignal?.throwIfAborted()
      client ??= pool.connect()
      const batch = new Batch([...first.splice(0), ...statements])
      const connection = await client
      connection.query(batch)
      await batch.completed
    },
    end: async () => {
      const connection = await client?.catch(() => undefined)
      if (!connection) return
      const lastBatch = new Batch([{ text: 'rollback' }]) // nothing was written
      connection.query(lastBatch)
      await release(connection, lastBatch)
    },
  }
}

/** Starts a transaction of several batches. BEGIN is sent with the first batch. */
export function startTransaction(pool: pg.Pool, caller: Caller, label: string, space: WriteSpace): OpenTransaction {
  refuseSecondChange(caller)
  let client: Promise<pg.PoolClient> | undefined
  const nextStatements: Statement[] = [begin, buildWriteSettings(caller, label, space)]
  return {
    caller,
    canWrite: true,
    sendLater: (statement) => void nextStatements.push(statement),
    send: async (statements) => {
      client ??= pool.connect()
      const batch = new Batch([...nextStatements.splice(0), ...statements])
      const connection = await client
      connection.query(batch)
      await batch.completed
    },
    end: async ({ hasFailed }) => {
      const connection = await client?.catch(() => undefined)
      if (!connection) return
      const lastBatch = new Batch(
        hasFailed ? [{ text: 'rollback' }] : [...nextStatements, buildWriteResultQuery(caller, space), { text: 'commit' }],
      )
      connection.query(lastBatch)
      const released = release(connection, lastBatch)
      await (hasFailed ? released : awaitConfirmation(lastBatch, released))
    },
  }
}

/**
 * Starts a savepoint. SAVEPOINT is sent with its first statements and RELEASE with the next statements of the transaction, so that a
 * savepoint that succeeds needs no additional round trip.
 */
export function startSavepoint(outer: OpenTransaction): OpenTransaction {
  const { sendLater, savepointDepth = 0 } = outer
  if (!sendLater) throw new Error('A savepoint needs a transaction')
  const name = `savepoint_${savepointDepth + 1}`
  let isSet = false
  return {
    caller: outer.caller,
    canWrite: true,
    sendLater,
    savepointDepth: savepointDepth + 1,
    send: (statements) => {
      const first = isSet ? [] : [{ text: `savepoint ${name}` }]
      isSet = true
      return outer.send([...first, ...statements])
    },
    end: async ({ hasFailed }) => {
      if (!isSet) return
      if (!hasFailed) return sendLater({ text: `release savepoint ${name}` })
      await outer.send([{ text: `rollback to savepoint ${name}` }, { text: `release savepoint ${name}` }])
    },
  }
}

/** Starts a transaction of one batch, which needs one round trip. A second batch is refused. */
export function startBatch(pool: pg.Pool, caller: Caller, label: string, space: WriteSpace): OpenTransaction {
  refuseSecondChange(caller)
  let isSent = false
  return {
    caller,
    canWrite: true,
    send: (statements) => {
      if (isSent) return Promise.reject(new Error('A batch is sent once: statements that start later need a transaction'))
      isSent = true
      const batch = new Batch([buildWriteSettings(caller, label, space), ...statements, buildWriteResultQuery(caller, space)])
      return awaitConfirmation(batch, sendAlone(pool, caller, batch))
    },
    end: async () => {},
  }
}

/** Sends a batch that is a transaction of its own. Cancels it when `readSignal` of the caller aborts. */
async function sendAlone(pool: pg.Pool, caller: Caller, batch: Batch): Promise<void> {
  caller.readSignal?.throwIfAborted()
  const connection = await pool.connect()
  if (caller.readSignal?.aborted) connection.release()
  caller.readSignal?.throwIfAborted() // the client may have disconnected while the read waited for a connection
  let isCancelled = false
  const cancel = (): void => {
    isCancelled = true
    void cancelQuery(pool, connection.processID)
  }
  caller.readSignal?.addEventListener('abort', cancel)
  connection.query(batch)
  try {
    // closes a cancelled connection, because a late cancel would end the next query on it
    await release(connection, batch, () => isCancelled)
  } finally {
    caller.readSignal?.removeEventListener('abort', cancel)
  }
}

/** Cancels the query of another connection. Opens a new connection for it, because slow reads may use all connections of the pool. */
async function cancelQuery(pool: pg.Pool, processId: number): Promise<void> {
  const client = new pg.Client(pool.options)
  client.on('error', () => {}) // a lost connection also rejects the query
  await client
    .connect()
    .then(() => client.query('select pg_cancel_backend($1)', [processId]))
    .catch(() => {}) // if the cancel fails, the read ends at its timeout
  await client.end().catch(() => {})
}

/** Returns the connection to the pool after the batch. Closes it if `mustClose` returns true or if it is not usable any more. */
async function release(connection: pg.PoolClient, batch: Batch, mustClose: () => boolean = () => false): Promise<void> {
  try {
    await batch.completed
    connection.release(mustClose())
  } catch (error) {
    connection.release(mustClose() || !isStatementError(error))
    throw error
  }
}

/**
 * Waits for `sent`, which sends the batch that commits. Throws `UnconfirmedCommit` if the connection was lost after the batch was sent and
 * before the server confirmed or refused it.
 */
async function awaitConfirmation(batch: Batch, sent: Promise<void>): Promise<void> {
  try {
    await sent
  } catch (error) {
    throw batch.isUnanswered ? new UnconfirmedCommit(error) : error
  }
}
