import pg from 'pg'

/** A pool that goes on after its server restarts: a broken connection is dropped, and the next query opens another. */
export function openPool(connection: pg.PoolConfig, max: number, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ ...connection, max, options: '-c TimeZone=UTC', connectionTimeoutMillis: 5000, idleTimeoutMillis: 30_000 })
  pool.on('error', onError)
  // a query in progress rejects by itself; without a listener the error would end the process
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
