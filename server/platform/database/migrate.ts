import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { OperatorError } from '../operator-error.ts'
import { readMigrations, type Migration } from './migrations.ts'
import { prepareApplicationRole } from './application-role.ts'

/** Written in the database beside every migration that it has had. */
type Applied = { name: string; checksum: string }

type Options = {
  /** Sets the password of the application's role, for servers that ask for one. */
  applicationPassword?: string
  /** Where the migrations are, `database/migrations` unless said. */
  folder?: string
  /** Names of those that may run, all unless said. */
  only?: string[]
}

/** The folder of our migrations. */
export const ourMigrations: string = fileURLToPath(new URL('../../../database/migrations/', import.meta.url))

/** Any number; whoever migrates this database holds the lock of that number, and the next one waits. */
const lockNumber = 7002

/**
 * Brings the database up to date as the role that owns the tables, which need not be a superuser, and makes the role `foyer_app`
 * where it is missing. Each migration is a transaction of its own. Answers the names of those that ran.
 * Throws a `OperatorError` when the server, the role or the history does not fit.
 */
export async function migrate(
  owner: pg.ClientConfig,
  { applicationPassword, folder = ourMigrations, only }: Options = {},
): Promise<string[]> {
  const migrations = readMigrations(folder)
  const client = new pg.Client(owner)
  client.on('error', () => {}) // the statement that is running tells
  await client.connect()
  try {
    await refuseOldServer(client)
    await client.query(`set search_path = public; set statement_timeout = 0; set client_min_messages = warning`)
    await client.query('select pg_advisory_lock($1)', [lockNumber])
    await prepareApplicationRole(client, applicationPassword)
    const pending = (await pendingOf(client, migrations)).filter(({ name }) => only?.includes(name) ?? true)
    for (const migration of pending) await run(client, migration)
    return pending.map(({ name }) => name)
  } finally {
    await client.end() // which gives the lock back
  }
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
  )
  const [server] = rows
  if (server && server.number >= 180_000) return
  throw new OperatorError(`Foyer needs PostgreSQL 18 or newer, and this server is ${server?.version}: upgrade it, or unset DATABASE_URL.`)
}

/** Those that the database has not had. What it has had must still be here, letter by letter. */
async function pendingOf(client: pg.Client, migrations: Migration[]): Promise<Migration[]> {
  await client.query(`create schema if not exists app;
    create table if not exists app.migrations (name text primary key, checksum text not null, at timestamptz not null default now())`)
  const { rows } = await client.query<Applied>('select name, checksum from app.migrations order by name')
  for (const { name, checksum } of rows) {
    const known = migrations.find((migration) => migration.name === name)
    if (!known)
      throw new OperatorError(`The database has had ${name}, which this Foyer does not know: start the newer Foyer that wrote it.`)
    if (known.checksum !== checksum) {
      throw new OperatorError(`${name} was changed after the database had it: put it back as it was, and make a new migration instead.`)
    }
  }
  return migrations.filter(({ name }) => !rows.some((applied) => applied.name === name))
}

async function run(client: pg.Client, { name, checksum, text }: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(text)
    await client.query('insert into app.migrations (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {}) // the connection may be gone; what failed first matters
    throw new Error(`The migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
  }
}
