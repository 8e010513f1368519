import pg from 'pg'

/**
 * The settings of every connection: the time zone, and the time after which PostgreSQL ends a transaction that is open without a statement,
 * because it holds locks. An external server may have other defaults.
 */
const settings = '-c TimeZone=UTC -c idle_in_transaction_session_timeout=60s'

/**
 * Opens a pool of at most `max` connections. It survives a restart of the server: broken connections are removed, and the next query opens
 * a new one. PostgreSQL refuses writes of these connections when an owner's records and journal need more than `recordQuotaBytes`.
 */
export function openPool(
  connection: pg.PoolConfig,
  max: number,
  onError: (error: Error) => void,
  { recordQuotaBytes }: { recordQuotaBytes?: number } = {},
): pg.Pool {
  const options = recordQuotaBytes === undefined ? settings : `${settings} -c app.record_quota=${recordQuotaBytes}`
  const pool = new pg.Pool({ ...connection, max, options, connectionTimeoutMillis: 5000, idleTimeoutMillis: 30_000 })
  pool.on('error', onError)
  // a running query rejects with the error; without a listener the event would end the process
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
