// Restores a backup: creates the tables with the migrations of the backup, loads their rows, and runs the later migrations.
import type pg from 'pg'
import { migrate, migrationsFolder, readMigrations } from '../database/migrate.ts'
import { OperatorError } from '../operator-error.ts'
import { checkArchive, type Contents } from './archive.ts'
import { hasUsers, listMigrations, listTables } from './catalogue.ts'
import type { Installation } from './files.ts'
import { loadArchive } from './load.ts'
import { openSession } from './session.ts'

/** The installation into which a backup is restored. */
type Target = {
  /** Opens the database as the role that owns the tables. The database may be empty. Called only after the file has been checked. */
  open: () => Promise<{ tableOwner: pg.ClientConfig; stop: () => Promise<void> }>
  installation: Installation
  /** The folder of the migrations, `database/migrations` by default. */
  migrations?: string
}

/** What the operator can do when the database cannot be used for a restore. */
const remedy = 'set FOYER_DATA to a new folder, or DATABASE_URL to an empty database.'

/**
 * Restores a backup into an installation without users. Returns the number of rows, and the files that are missing in the backup because
 * they were deleted while it was written. Throws an `OperatorError` before anything is written when the file or the installation is
 * unsuitable.
 */
export async function restoreBackup(
  file: string,
  { open, installation, migrations = migrationsFolder }: Target,
): Promise<{ rows: number; missingFiles: string[] }> {
  const contents = await checkArchive(file, installation)
  refuseNewerBackup(file, contents, migrations)
  await using resources = new AsyncDisposableStack()
  const { tableOwner } = resources.adopt(await open(), ({ stop }) => stop())
  const client = resources.adopt(await openSession(tableOwner), (session) => session.end())
  await refuseUsedDatabase(client, contents)
  await migrate(tableOwner, { folder: migrations, only: contents.migrations.map(({ name }) => name) })
  await refuseOtherTables(client, contents)
  await loadArchive(client, file, contents, installation)
  await migrate(tableOwner, { folder: migrations })
  await client.query('vacuum (analyze)') // otherwise the first searches would be slow
  return { rows: Object.values(contents.rows).reduce((sum, count) => sum + count, 0), missingFiles: contents.missingFiles }
}

/** Throws if the backup needs a migration that this version of Foyer does not have, or has with another text. */
function refuseNewerBackup(file: string, contents: Contents, folder: string): void {
  const checksums = new Map(readMigrations(folder).map(({ name, checksum }) => [name, checksum]))
  const unknownMigration = contents.migrations.find(({ name, checksum }) => checksums.get(name) !== checksum)
  if (unknownMigration)
    throw new OperatorError(
      `${file} was written by another version of Foyer with the migration ${unknownMigration.name}: restore it with that version or a newer one.`,
    )
}

/** Throws if the database has users, is used by a server, or has a migration that is newer than the backup. */
async function refuseUsedDatabase(client: pg.Client, contents: Contents): Promise<void> {
  if (await hasUsers(client)) throw new OperatorError(`This installation already has users, and a restore would replace them: ${remedy}`)
  const runningServers = await client.query(
    `select from pg_stat_activity where application_name = 'foyer jobs' and datname = current_database() limit 1`,
  )
  if (runningServers.rowCount) throw new OperatorError('A Foyer server is using this database: stop it first, then restore.')
  const newerMigration = (await listMigrations(client)).find(
    ({ name }) => !contents.migrations.some((migration) => migration.name === name),
  )
  if (newerMigration)
    throw new OperatorError(
      `The migration ${newerMigration.name} has run on this database, but the backup is older than this migration: ${remedy}`,
    )
}

/**
 * Throws if the backup has other tables or columns than the database. So names from the file cannot inject SQL: they are names of our
 * tables.
 */
async function refuseOtherTables(client: pg.Client, contents: Contents): Promise<void> {
  const describe = (tables: { name: string; columns: string[] }[]): string =>
    tables
      .map(({ name, columns }) => `${name}: ${columns.toSorted().join()}`)
      .toSorted()
      .join('\n')
  if (describe(await listTables(client)) !== describe(contents.tables))
    throw new Error('The tables of the backup differ from the tables that its migrations create')
}
