import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { OperatorError } from '../operator-error.ts'
import type { KeyFile } from '../security/key-file.ts'
import { derivePassword } from './application-role.ts'
import { explainMigrationFailure, requireConnection } from './connection-failure.ts'
import { explainFullDisk, listDatabaseFolders } from './embedded/disk-space.ts'
import { openSocketFolder } from './embedded/sockets.ts'
import { startEmbedded } from './embedded/start.ts'
import { migrate } from './migrate.ts'

/** The configuration of the database: embedded, or on an external server. */
export type DatabaseSettings = {
  /** The folder of the embedded server's files, and whether the operator set it. */
  data: { folder: string; isConfigured: boolean }
  /** An external PostgreSQL instead: the URL with the role that owns the tables, and optionally the URL with the application's role. */
  external: { ownerUrl: string; applicationUrl: string | undefined } | undefined
  /** The file with the installation's key, from which the password of the application's role on an external server is derived. */
  keyFile: KeyFile
}

/** A database that is running and has all migrations. */
export type OpenDatabase = {
  connections: { application: pg.ClientConfig; tableOwner: pg.ClientConfig }
  /** The folders on the disks of the embedded database; empty for an external server. */
  folders: readonly string[]
  /** Sets the address that is shown when a second start on the same data folder is refused. */
  setLockAddress: (address: string) => void
  /** Resolves with the reason when the embedded server has crashed too often. It never resolves for an external server. */
  crashed: Promise<string>
  stop: () => Promise<void>
}

/** Starts the embedded database or connects to the external one, and runs the pending migrations. */
export async function openDatabase({ data, external, keyFile }: DatabaseSettings): Promise<OpenDatabase> {
  if (external) return openExternal(external, keyFile)
  const embedded = await startEmbedded(data)
  const connections = createEmbeddedConnections(embedded.socketFolder)
  try {
    await migrate(connections.tableOwner, { key: { file: keyFile, setsPassword: false } })
  } catch (error) {
    await embedded.stop()
    throw explainFullDisk(data.folder, error)
  }
  return {
    connections,
    folders: listDatabaseFolders(data.folder),
    setLockAddress: embedded.setLockAddress,
    crashed: embedded.crashed,
    stop: embedded.stop,
  }
}

/** Opens the database for a command of the operator. Starts the embedded database until `stop`, unless a running Foyer has started it. */
export async function openDatabaseForCommand(settings: DatabaseSettings): Promise<OpenDatabase> {
  const runningDatabase = settings.external ? undefined : await connectToRunning(settings.data.folder)
  return runningDatabase ?? openDatabase(settings)
}

/** Connects to the embedded database of a Foyer that is running on the folder. Returns undefined if none is running. */
async function connectToRunning(folder: string): Promise<OpenDatabase | undefined> {
  const sockets = openSocketFolder(join(folder, 'run'))
  const connections = createEmbeddedConnections(sockets.path)
  const client = new pg.Client(connections.tableOwner)
  try {
    await client.connect()
    await client.end()
    return {
      connections,
      folders: listDatabaseFolders(folder),
      setLockAddress: () => {},
      crashed: new Promise<string>(() => {}),
      stop: async () => sockets.close(),
    }
  } catch {
    sockets.close()
    return undefined // whatever the error was: a start of the database takes the lock of the folder, and says what is wrong
  }
}

/**
 * Opens the database for the check of an installation. Runs no migrations and creates nothing. Starts the embedded database until `stop`,
 * unless a running Foyer has started it. Throws an `OperatorError` if there is no database.
 */
export async function openForCheck({ data, external, keyFile }: DatabaseSettings): Promise<Pick<OpenDatabase, 'connections' | 'stop'>> {
  if (external) {
    await requireConnection({ url: external.ownerUrl, setting: 'DATABASE_URL' })
    return { connections: createExternalConnections(external, readKey(keyFile)), stop: async () => {} }
  }
  const runningDatabase = await connectToRunning(data.folder)
  if (runningDatabase) return runningDatabase
  if (!existsSync(join(data.folder, 'pg'))) throw new OperatorError(`${data.folder} has no database: start Foyer, or set FOYER_DATA.`)
  const { socketFolder, stop } = await startEmbedded(data)
  return { connections: createEmbeddedConnections(socketFolder), stop }
}

/** Opens the database without running migrations, for a restore, which creates the tables itself. */
export async function openWithoutMigrations({
  data,
  external,
}: DatabaseSettings): Promise<{ tableOwner: pg.ClientConfig; stop: () => Promise<void> }> {
  if (external) {
    await requireConnection({ url: external.ownerUrl, setting: 'DATABASE_URL' })
    return { tableOwner: { connectionString: external.ownerUrl }, stop: async () => {} }
  }
  const { socketFolder, stop } = await startEmbedded(data)
  return { tableOwner: createEmbeddedConnections(socketFolder).tableOwner, stop }
}

function createEmbeddedConnections(socketFolder: string): OpenDatabase['connections'] {
  const address = { host: socketFolder, database: 'foyer' }
  return { application: { ...address, user: 'foyer_app' }, tableOwner: { ...address, user: 'foyer' } }
}

async function openExternal(
  { ownerUrl, applicationUrl }: { ownerUrl: string; applicationUrl: string | undefined },
  keyFile: KeyFile,
): Promise<OpenDatabase> {
  const owner = { url: ownerUrl, setting: 'DATABASE_URL' } as const
  await requireConnection(owner)
  try {
    await migrate({ connectionString: ownerUrl }, { key: { file: keyFile, setsPassword: applicationUrl === undefined } })
  } catch (error) {
    throw explainMigrationFailure(error, owner) ?? error
  }
  const connections = createExternalConnections({ ownerUrl, applicationUrl }, keyFile.findOrCreate())
  await requireConnection({
    url: connections.application.connectionString,
    setting: applicationUrl === undefined ? 'DATABASE_URL' : 'DATABASE_APP_URL',
  })
  await requireRowSecurity(connections.application)
  return { setLockAddress: () => {}, crashed: new Promise<string>(() => {}), stop: async () => {}, connections, folders: [] }
}

function readKey({ path, find }: KeyFile): string {
  const key = find()
  if (key === undefined) throw new OperatorError(`${path} does not exist: restore it from a backup.`)
  return key
}

/** Returns the connections to an external server. Without `applicationUrl`, the role foyer_app has a password derived from the key. */
function createExternalConnections(
  { ownerUrl, applicationUrl }: { ownerUrl: string; applicationUrl: string | undefined },
  installationKey: string,
): Record<keyof OpenDatabase['connections'], { connectionString: string }> {
  const tableOwner = { connectionString: ownerUrl }
  if (applicationUrl) return { tableOwner, application: { connectionString: applicationUrl } }
  const url = new URL(ownerUrl)
  for (const name of ['user', 'password']) url.searchParams.delete(name) // these parameters would override the user and password of the URL
  url.username = 'foyer_app'
  url.password = derivePassword(installationKey)
  return { tableOwner, application: { connectionString: url.href } }
}

/** Throws an `OperatorError` for the owner of the tables and for superusers, because row security does not apply to them. */
async function requireRowSecurity(application: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(application)
  await client.connect()
  try {
    const { rows } = await client.query<{ role: string; isRestricted: boolean }>(
      `select current_user as role, row_security_active('public.profiles') as "isRestricted"`,
    )
    if (rows[0]?.isRestricted) return
    throw new OperatorError(
      `Row security does not apply to the database role ${rows[0]?.role}: use the role foyer_app in DATABASE_APP_URL, as docs/operating.md says.`,
    )
  } finally {
    await client.end()
  }
}
