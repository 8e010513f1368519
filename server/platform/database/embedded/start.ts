// The embedded database is a PostgreSQL server in the data folder. Only the system account of the server can open its socket.
import { join } from 'node:path'
import pg from 'pg'
import { OperatorError } from '../../operator-error.ts'
import { prepareCluster } from './cluster.ts'
import { explainFullDisk, requireSpace } from './disk-space.ts'
import { makePrivateFolder, prepareFolder, toFolderError } from './folder.ts'
import { endOrphans } from './orphans.ts'
import { takeLock } from './lock.ts'
import { prepareProgramFolder } from './programs.ts'
import { startServer } from './server.ts'
import { createServerSettings } from './settings.ts'
import { openSocketFolder } from './sockets.ts'

/**
 * `socketFolder` is the `host` of connections in this process. `setLockAddress` sets the address that is shown when a second start is
 * refused. `crashed` resolves with the reason if the database has ended too often to be restarted.
 */
export type EmbeddedDatabase = {
  socketFolder: string
  setLockAddress: (address: string) => void
  stop: () => Promise<void>
  crashed: Promise<string>
}

/**
 * Starts the database in `folder` and creates it at the first start. If a Foyer that uses the folder is stopping, waits up to 5 s for it.
 * Throws an `OperatorError` if the folder is in use, cannot be reached or written, is damaged, or was written by another version of
 * PostgreSQL.
 */
export async function startEmbedded(data: { folder: string; isConfigured: boolean }): Promise<EmbeddedDatabase> {
  try {
    return await start(data)
  } catch (error) {
    throw toFolderError(data.folder, explainFullDisk(data.folder, error))
  }
}

async function start({ folder, isConfigured }: { folder: string; isConfigured: boolean }): Promise<EmbeddedDatabase> {
  if (process.platform === 'win32')
    throw new OperatorError('Foyer contains no PostgreSQL for Windows: set DATABASE_URL to a PostgreSQL server, or run Foyer in WSL.')
  const { path, systemAccount, isFolderReachable } = prepareFolder(folder, { isConfigured })
  const cluster = {
    folder: join(path, 'pg'),
    programs: prepareProgramFolder(systemAccount),
    systemAccount,
    isFolderReachable,
    logFile: join(path, 'postgres.log'),
  }
  const runFolder = join(path, 'run')
  makePrivateFolder(runFolder, systemAccount)
  await using opened = new AsyncDisposableStack() // closes everything that was opened if a later step fails
  const sockets = opened.adopt(openSocketFolder(runFolder), ({ close }) => close())
  const lock = opened.adopt(await takeLock(sockets.path, path), ({ release }) => release())
  requireSpace(path)
  await endOrphans(cluster.folder, join(sockets.path, '.s.PGSQL.5432'))
  await prepareCluster(cluster)
  const server = opened.adopt(await startServer(cluster, createServerSettings()), ({ stop }) => stop())
  await createFoyerDatabase(sockets.path)
  const resources = opened.move()
  return { socketFolder: sockets.path, setLockAddress: lock.setLockAddress, stop: () => resources.disposeAsync(), crashed: server.crashed }
}

/**
 * Creates the role `foyer` and its database if they are missing. The role owns the tables and can create roles, but is not a superuser,
 * as on a managed server. Connects as `postgres` to the server on the socket in `socketFolder`.
 */
export async function createFoyerDatabase(socketFolder: string, database = 'foyer'): Promise<void> {
  const client = new pg.Client({ host: socketFolder, user: 'postgres', database: 'postgres' })
  await client.connect()
  try {
    const roles = await client.query(`select from pg_roles where rolname = 'foyer'`)
    if (roles.rowCount === 0) await client.query('create role foyer login createrole nosuperuser')
    const databases = await client.query('select from pg_database where datname = $1', [database])
    if (databases.rowCount === 0) await client.query(`create database ${client.escapeIdentifier(database)} owner foyer`)
  } finally {
    await client.end()
  }
}
