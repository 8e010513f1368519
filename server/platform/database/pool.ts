import pg from 'pg'

/** Opens a pool that survives a restart of the server: broken connections are removed, and the next query opens a new one. */
export function openPool(connection: pg.PoolConfig, max: number, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ ...connection, max, options: '-c TimeZone=UTC', connectionTimeoutMillis: 5000, idleTimeoutMillis: 30_000 })
  pool.on('error', onError)
  // a running query rejects with the error; without a listener the event would end the process
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
