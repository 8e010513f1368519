import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { errorCode } from '../error-code.ts'
import { OperatorError } from '../operator-error.ts'
import type { KeyFile } from '../security/key-file.ts'
import { prepareApplicationRole } from './application-role.ts'
import { requireKey, requireKeyOfRole, storeFingerprint } from './installation-key.ts'

/** A row of `app.migrations`. */
type AppliedMigration = { name: string; checksum: string }

type Options = {
  /**
   * The file with the installation's key, which must belong to the database. `setsPassword`: derives the password of the application's
   * role from the key, for servers that require a password. Without the option `key` no key is checked.
   */
  key?: { file: KeyFile; setsPassword: boolean }
  /** The folder of the migrations, `database/migrations` by default. */
  folder?: string
  /** Names of the migrations to run, all by default. */
  only?: string[]
  /** The time limit in which a migration tries to get its locks, one minute by default. */
  maxLockWaitMs?: number
}

export const migrationsFolder: string = fileURLToPath(new URL('../../../database/migrations/', import.meta.url))

/** The key of the advisory lock that prevents concurrent migrations. The number is arbitrary. */
const lockKey = 7002

/** A migration waits only briefly for the lock of a table and then tries again, because all later queries on the table wait too. */
const lockTimeoutMs = 1000
const lockPauseMs = 500
/** The error code of PostgreSQL for a lock timeout. */
const lockNotAvailable = '55P03'
/** The lowest object id (OID) of a table that PostgreSQL has not created itself. */
const minUserOid = 16_384

/** A migration was rolled back because of an error, which is the `cause`. */
export class MigrationError extends Error {
  readonly migration: string
  constructor(migration: string, cause: unknown) {
    super(`The migration ${migration} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
    this.name = 'MigrationError'
    this.migration = migration
  }
}

/**
 * Runs the pending migrations, each in its own transaction, and creates the role `foyer_app` if it is missing. `tableOwner` connects as
 * the role that owns the tables, which need not be a superuser. Returns the names of the migrations that ran.
 * Throws an `OperatorError` for an old server, another key, a wrong role, or migrations that do not match those of the database, and a
 * `MigrationError` if a migration fails.
 */
export async function migrate(
  tableOwner: pg.ClientConfig,
  { key, folder = migrationsFolder, only, maxLockWaitMs = 60_000 }: Options = {},
): Promise<string[]> {
  const migrations = readMigrations(folder)
  const client = new pg.Client(tableOwner)
  client.on('error', () => {}) // the running query rejects with the error
  await client.connect()
  try {
    await refuseOldServer(client)
    await client.query(`set search_path = public; set statement_timeout = 0; set client_min_messages = warning`)
    await client.query('select pg_advisory_lock($1)', [lockKey])
    const installationKey = key && (await requireKey(client, key.file))
    if (key?.setsPassword && installationKey !== undefined) await requireKeyOfRole(client, key.file, installationKey)
    await prepareApplicationRole(client, key?.setsPassword ? installationKey : undefined)
    const pendingMigrations = (await findPending(client, migrations)).filter(({ name }) => !only || only.includes(name))
    for (const migration of pendingMigrations) await runWithRetries(client, migration, maxLockWaitMs)
    if (installationKey !== undefined) await storeFingerprint(client, installationKey)
    return pendingMigrations.map(({ name }) => name)
  } finally {
    await client.end() // releases the lock
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

/** Returns the migrations that have not run. Throws an `OperatorError` if a migration that has run is missing or was changed. */
async function findPending(client: pg.Client, migrations: Migration[]): Promise<Migration[]> {
  await client.query(`create schema if not exists app;
    create table if not exists app.migrations (name text primary key, checksum text not null, at timestamptz not null default now())`)
  const { rows } = await client.query<AppliedMigration>('select name, checksum from app.migrations order by name')
  for (const { name, checksum } of rows) {
    const migration = migrations.find((candidate) => candidate.name === name)
    if (!migration)
      throw new OperatorError(
        `The migration ${name} has run on this database, but this version of Foyer does not have it: start the newer version that ran it.`,
      )
    if (migration.checksum !== checksum) {
      throw new OperatorError(
        `The migration ${name} was changed after it had run on this database: restore its old text, and write a new migration instead.`,
      )
    }
  }
  return migrations.filter(({ name }) => !rows.some((applied) => applied.name === name))
}

async function runWithRetries(client: pg.Client, migration: Migration, maxLockWaitMs: number): Promise<void> {
  const startedAt = performance.now()
  while (!(await tryRun(client, migration))) {
    if (performance.now() - startedAt >= maxLockWaitMs) throw await toLockError(client, migration)
    await sleep(lockPauseMs)
  }
}

/** Runs a migration in its own transaction. Returns false, and changes nothing, if it did not get a lock in time. */
async function tryRun(client: pg.Client, { name, checksum, text }: Migration): Promise<boolean> {
  try {
    await client.query(`begin; set local lock_timeout = ${lockTimeoutMs}`)
    await client.query(text)
    await client.query('insert into app.migrations (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
    return true
  } catch (error) {
    await client.query('rollback').catch(() => {}) // the connection may be lost; the first error is reported
    if (errorCode(error) === lockNotAvailable) return false
    throw new MigrationError(name, error)
  }
}

/** Returns the error for a migration that did not get its locks. It names the processes that now hold a lock on any table. */
async function toLockError(client: pg.Client, { name }: Migration): Promise<OperatorError> {
  const { rows } = await client.query<{ pid: number }>(
    `select distinct pid from pg_locks where locktype = 'relation' and granted and pid <> pg_backend_pid() and relation >= ${minUserOid}
       and database = (select oid from pg_database where datname = current_database()) order by pid`,
  )
  const holders = rows.map(({ pid }) => `process ${pid}`).join(', ') || 'which have ended now'
  return new OperatorError(
    `The migration ${name} needs tables that are held by other connections (${holders}): stop them or end them with pg_terminate_backend, then start again. Nothing was changed.`,
  )
}

/** An SQL file that changes the schema. It must not be edited after it has run on any database. */
export type Migration = { name: string; text: string; checksum: string }

/** Reads the migrations in a folder, in the order of their names. Throws for invalid names and duplicate numbers. */
export function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
  const numbers = new Set(names.map((name) => /^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1]))
  if (numbers.has(undefined)) throw new Error(`A migration in ${folder} does not have a name like 0001_contacts.sql`)
  if (numbers.size < names.length) throw new Error(`Two migrations in ${folder} have the same number`)
  return names.map((name) => {
    const text = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n') // a checkout on Windows has CRLF
    return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
  })
}
