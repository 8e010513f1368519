import pg from 'pg'

/**
 * The settings of every connection. An external server may have another time zone, and no limit for a transaction that waits for the
 * application and holds its locks.
 */
const settings = '-c TimeZone=UTC -c idle_in_transaction_session_timeout=60s'

/**
 * Opens a pool that survives a restart of the server: broken connections are removed, and the next query opens a new one. Writes of its
 * connections are refused when an owner's records and journal need more than `recordQuotaBytes`.
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
