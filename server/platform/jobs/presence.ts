import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** First half of the lock's key, known to `jobs.is_alive` too. */
const lockClass = 7001

/**
 * A connection that listens for jobs and holds a lock: the worker's sign of life. Jobs are taken over it and no other, so that
 * nothing can be taken in the name of a worker whose lock is gone.
 */
export type Presence = {
  worker: number
  client: pg.Client
  /** Aborted when the connection is lost: the jobs of this worker are then free to others. */
  gone: AbortSignal
  leave: () => Promise<void>
}

/** Connects under a number that no worker had before. `ring` is called when somebody asks for work. */
export async function appear(connection: pg.ClientConfig, ring: () => void): Promise<Presence> {
  const client = new pg.Client({
    ...connection,
    application_name: 'foyer jobs',
    connectionTimeoutMillis: 5000,
    query_timeout: 10_000,
    statement_timeout: 10_000,
  })
  const gone = new AbortController()
  const lose = (error?: Error): void => gone.abort(error ?? new Error('The connection for jobs has ended'))
  client.on('error', lose)
  client.on('end', () => lose())
  client.on('notification', ring)
  try {
    await client.connect()
    return { worker: await showLife(client), client, gone: gone.signal, leave }
  } catch (error) {
    await leave()
    throw error
  }

  /** A dead line does not answer a goodbye. */
  async function leave(): Promise<void> {
    await Promise.race([client.end().catch(() => {}), sleep(1000, undefined, { ref: false })])
  }
}

/**
 * With a server far away a dead line must be noticed by us before it is noticed there, where it frees our jobs: we ask every two
 * seconds and wait ten for the answer, the server gives up after thirty seconds of silence.
 */
async function showLife(client: pg.Client): Promise<number> {
  await client.query('set tcp_keepalives_idle = 15; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3')
  // a plan that was made while hardly anything waited must do when ten thousand jobs wait
  await client.query('set enable_seqscan = off; set enable_bitmapscan = off')
  const { rows } = await client.query<{ worker: number }>(`select nextval('jobs.workers')::int as worker`)
  const worker = rows[0]?.worker ?? 0
  await client.query('select pg_advisory_lock($1, $2)', [lockClass, worker])
  await client.query('listen jobs')
  return worker
}
