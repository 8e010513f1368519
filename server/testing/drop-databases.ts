// Runs with each test file of the server, and drops the databases of the file after its tests. To drop all databases at the end of the run
// would take more than ten seconds in which no test runs.
import pg from 'pg'
import { afterAll, inject } from 'vitest'

afterAll(async () => {
  const admin = new pg.Client({ host: inject('postgres').host, user: 'postgres', database: 'postgres' })
  await admin.connect()
  // a database to which something is still connected is dropped after the next file of this process
  const { rows } = await admin.query<{ name: string }>(
    `select datname as name from pg_database d
     where datname like $1 and not exists (select from pg_stat_activity where datid = d.oid and backend_type = 'client backend')`,
    [String.raw`%\_${process.pid}\_%`],
  )
  for (const { name } of rows) await admin.query(`drop database ${name}`)
  await admin.end()
})
