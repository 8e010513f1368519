import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** The first half of the lock's key. The SQL functions `jobs.is_alive` and `app.living_processes` contain the same number. */
const lockClass = 7001

/**
 * A connection that holds an advisory lock on a unique number, and so shows that its process is alive. Rows of jobs and shared slots
 * contain the number of the process that claimed them. PostgreSQL releases the lock when the connection or the process ends; other
 * processes can then claim these rows. All claims are sent over this connection, so that no row can be claimed after the lock is released.
 */
export type Lease = {
  number: number
  client: pg.Client
  /** This signal is aborted when the connection is lost. */
  lost: AbortSignal
  close: () => Promise<void>
}

type Options = { connection: pg.ClientConfig; channel: 'jobs' | 'slots'; onNotification: () => void }

/** Connects, takes a number that no lease had before, and listens on the channel. */
export async function openLease({ connection, channel, onNotification }: Options): Promise<Lease> {
  const client = new pg.Client({
    ...connection,
    application_name: `foyer ${channel}`,
    connectionTimeoutMillis: 5000,
    query_timeout: 10_000,
    statement_timeout: 10_000,
  })
  const lost = new AbortController()
  const markAsLost = (error?: Error): void => lost.abort(error ?? new Error('The connection of a lease has ended'))
  client.on('error', markAsLost)
  client.on('end', () => markAsLost())
  client.on('notification', onNotification)
  try {
    await client.connect()
    const number = await takeNumber(client)
    await client.query(`listen ${channel}`)
    return { number, client, lost: lost.signal, close }
  } catch (error) {
    await close()
    throw error
  }

  /** Waits at most one second, because a broken connection does not respond. */
  async function close(): Promise<void> {
    await Promise.race([client.end().catch(() => {}), sleep(1000, undefined, { ref: false })])
  }
}

/**
 * Takes a new number and its lock. The server closes a broken connection after 30 s without a response. The job worker detects the loss
 * earlier: it sends a query every 2 s and waits at most 10 s for the result.
 */
async function takeNumber(client: pg.Client): Promise<number> {
  await client.query('set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3')
  const { rows } = await client.query<{ number: number }>(`select nextval('jobs.workers')::int as number`)
  const number = rows[0]?.number ?? 0
  await client.query('select pg_advisory_lock($1, $2)', [lockClass, number])
  return number
}
