import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** First half of the lock's key, known to `jobs.is_alive` too. */
const lockClass = 7001

/**
 * The right to take jobs under a number of its own: a connection that holds an advisory lock of that number. PostgreSQL drops the
 * lock when the connection or the process ends, and the jobs of the number are then free to others. Jobs are taken over this
 * connection alone, so that none can be taken after the lock is gone.
 */
export type Lease = {
  worker: number
  client: pg.Client
  /** Aborted when the connection is lost. */
  lost: AbortSignal
  close: () => Promise<void>
}

/** Connects under a number that no worker had before. `onNotification` is called when a job was added. */
export async function openLease(connection: pg.ClientConfig, onNotification: () => void): Promise<Lease> {
  const client = new pg.Client({
    ...connection,
    application_name: 'foyer jobs',
    connectionTimeoutMillis: 5000,
    query_timeout: 10_000,
    statement_timeout: 10_000,
  })
  const lost = new AbortController()
  const lose = (error?: Error): void => lost.abort(error ?? new Error('The connection of the job worker has ended'))
  client.on('error', lose)
  client.on('end', () => lose())
  client.on('notification', onNotification)
  try {
    await client.connect()
    return { worker: await takeNumber(client), client, lost: lost.signal, close }
  } catch (error) {
    await close()
    throw error
  }

  /** Waits a second at most, because a broken connection does not answer. */
  async function close(): Promise<void> {
    await Promise.race([client.end().catch(() => {}), sleep(1000, undefined, { ref: false })])
  }
}

/**
 * A broken connection must be noticed here before the server notices it and frees our jobs: the worker asks every two seconds and
 * waits ten for the answer, the server gives up after thirty seconds of silence.
 */
async function takeNumber(client: pg.Client): Promise<number> {
  await client.query('set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3')
  // a plan that was cached while few jobs waited must also fit ten thousand
  await client.query('set enable_seqscan = off; set enable_bitmapscan = off')
  const { rows } = await client.query<{ worker: number }>(`select nextval('jobs.workers')::int as worker`)
  const worker = rows[0]?.worker ?? 0
  await client.query('select pg_advisory_lock($1, $2)', [lockClass, worker])
  await client.query('listen jobs')
  return worker
}
