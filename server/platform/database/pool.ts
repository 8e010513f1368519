import pg from 'pg'

/** A pool that survives its server: a connection that dies is thrown away, and the next query opens another. */
export function openPool(connection: pg.PoolConfig, max: number, complain: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ ...connection, max, options: '-c TimeZone=UTC', connectionTimeoutMillis: 5000, idleTimeoutMillis: 30_000 })
  pool.on('error', complain)
  // a client that is in use tells its user; without a listener its error would end the process
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
