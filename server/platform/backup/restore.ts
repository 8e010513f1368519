// Restores a backup: creates the tables with the migrations of the backup, loads their rows, and runs the later migrations.
import type pg from 'pg'
import { migrate, ourMigrations, readMigrations } from '../database/migrate.ts'
import { OperatorError } from '../operator-error.ts'
import { checkArchive, type Contents } from './archive.ts'
import { hasUsers, listMigrations, listTables } from './catalogue.ts'
import type { Installation } from './files.ts'
import { loadArchive } from './load.ts'
import { openSession } from './session.ts'

type Target = {
  /** Connects as the role that owns the tables; the database may be empty. Called only after the file has been checked. */
  open: () => Promise<{ owner: pg.ClientConfig; stop: () => Promise<void> }>
  installation: Installation
  /** The folder of the migrations, `database/migrations` by default. */
  migrations?: string
}

const remedy = 'give it a new folder with FOYER_DATA, or an empty database with DATABASE_URL.'

/**
 * Restores a backup into an installation without users. Returns the number of rows. Throws an `OperatorError` before anything is
 * written when the file or the installation is unsuitable.
 */
export async function restoreBackup(file: string, { open, installation, migrations = ourMigrations }: Target): Promise<number> {
  const contents = await checkArchive(file, installation)
  refuseNewer(file, contents, migrations)
  await using opened = new AsyncDisposableStack()
  const { owner } = opened.adopt(await open(), ({ stop }) => stop())
  const client = opened.adopt(await openSession(owner), (session) => session.end())
  await refuseUsed(client, contents)
  await migrate(owner, { folder: migrations, only: contents.migrations.map(({ name }) => name) })
  await refuseOtherTables(client, contents)
  await loadArchive(client, file, contents, installation)
  await migrate(owner, { folder: migrations })
  await client.query('vacuum (analyze)') // otherwise the first searches would be slow
  return Object.values(contents.rows).reduce((sum, count) => sum + count, 0)
}

function refuseNewer(file: string, contents: Contents, folder: string): void {
  const known = new Map(readMigrations(folder).map(({ name, checksum }) => [name, checksum]))
  const unknown = contents.migrations.find(({ name, checksum }) => known.get(name) !== checksum)
  if (unknown)
    throw new OperatorError(
      `${file} was written by another version of Foyer, which has ${unknown.name}: restore it with that version or a newer one.`,
    )
}

async function refuseUsed(client: pg.Client, contents: Contents): Promise<void> {
  if (await hasUsers(client)) throw new OperatorError(`This Foyer has users already, whom a restore would replace: ${remedy}`)
  const working = await client.query(
    `select from pg_stat_activity where application_name = 'foyer jobs' and datname = current_database() limit 1`,
  )
  if (working.rowCount) throw new OperatorError('A Foyer is working on this database: stop it first, then restore.')
  const newer = (await listMigrations(client)).find(({ name }) => !contents.migrations.some((had) => had.name === name))
  if (newer) throw new OperatorError(`The database has had ${newer.name}, and the backup is older than that: ${remedy}`)
}

/** Prevents SQL injection: names from the file are used in SQL only if they are names of our own tables. */
async function refuseOtherTables(client: pg.Client, contents: Contents): Promise<void> {
  const describe = (tables: { name: string; columns: string[] }[]): string =>
    tables
      .map(({ name, columns }) => `${name}: ${columns.toSorted().join()}`)
      .toSorted()
      .join('\n')
  if (describe(await listTables(client)) !== describe(contents.tables))
    throw new Error('The backup has other tables than its migrations make')
}
