import pg from 'pg'

/**
 * Makes the role `foyer` and a database of its own, where they are missing. The role owns the tables and may create roles, and is
 * no superuser: what works here works on a server of somebody else's. `socketFolder` is where the server listens, as `postgres`.
 */
export async function createOwnDatabase(socketFolder: string, database = 'foyer'): Promise<void> {
  const client = new pg.Client({ host: socketFolder, user: 'postgres', database: 'postgres' })
  await client.connect()
  try {
    const role = await client.query(`select from pg_roles where rolname = 'foyer'`)
    if (role.rowCount === 0) await client.query('create role foyer login createrole nosuperuser')
    const found = await client.query('select from pg_database where datname = $1', [database])
    if (found.rowCount === 0) await client.query(`create database ${client.escapeIdentifier(database)} owner foyer`)
  } finally {
    await client.end()
  }
}
