import { createHmac } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { OperatorError } from '../operator-error.ts'
import { openSocketFolder } from './embedded/sockets.ts'
import { startEmbedded } from './embedded/start.ts'
import { migrate } from './migrate.ts'

/** The configuration of the database: embedded, or on an external server. */
export type DatabaseSettings = {
  /** The folder of the embedded server's files, and whether the operator set it. */
  data: { folder: string; isConfigured: boolean }
  /** An external PostgreSQL instead: the URL with the role that owns the tables, and optionally the URL with the application's role. */
  external: { ownerUrl: string; applicationUrl: string | undefined } | undefined
  /** Returns the secret from which the password of the application's role on an external server is derived. */
  secret: () => string
}

export type OpenDatabase = {
  connections: { application: pg.ClientConfig; tableOwner: pg.ClientConfig }
  /** Sets the address that is shown when a second start on the same data folder is refused. */
  announce: (address: string) => void
  /** Resolves with the reason when the embedded server has crashed too often. It never resolves for an external server. */
  crashed: Promise<string>
  stop: () => Promise<void>
}

/** Starts the embedded database or connects to the external one, and runs the pending migrations. */
export async function openDatabase({ data, external, secret }: DatabaseSettings): Promise<OpenDatabase> {
  if (external) return openExternal(external, secret)
  const embedded = await startEmbedded(data)
  const connections = createEmbeddedConnections(embedded.socketFolder)
  try {
    await migrate(connections.tableOwner)
  } catch (error) {
    await embedded.stop()
    throw error
  }
  return { connections, announce: embedded.announce, crashed: embedded.crashed, stop: embedded.stop }
}

/** Opens the database for a command of the operator: uses the database of a running Foyer, or else starts it until `stop`. */
export async function openDatabaseForCommand(settings: DatabaseSettings): Promise<OpenDatabase> {
  const running = settings.external ? undefined : await connectToRunning(settings.data.folder)
  return running ?? openDatabase(settings)
}

/** Returns undefined if no Foyer is running on the folder. */
async function connectToRunning(folder: string): Promise<OpenDatabase | undefined> {
  const sockets = openSocketFolder(join(folder, 'run'))
  const connections = createEmbeddedConnections(sockets.path)
  const client = new pg.Client(connections.tableOwner)
  try {
    await client.connect()
    await client.end()
    return { connections, announce: () => {}, crashed: new Promise<string>(() => {}), stop: async () => sockets.close() }
  } catch {
    sockets.close()
    return undefined
  }
}

/**
 * Opens the database of a running Foyer, or else starts it until `stop`. Runs no migrations and creates nothing, for the check of an
 * installation. Throws an `OperatorError` if there is no database.
 */
export async function openForCheck({ data, external, secret }: DatabaseSettings): Promise<Pick<OpenDatabase, 'connections' | 'stop'>> {
  if (external) return { connections: createExternalConnections(external, secret), stop: async () => {} }
  const running = await connectToRunning(data.folder)
  if (running) return running
  if (!existsSync(join(data.folder, 'pg'))) throw new OperatorError(`${data.folder} has no database: start Foyer, or set FOYER_DATA.`)
  const { socketFolder, stop } = await startEmbedded(data)
  return { connections: createEmbeddedConnections(socketFolder), stop }
}

/** Opens the database without running migrations, for a restore, which creates the tables itself. */
export async function openWithoutMigrations({
  data,
  external,
}: DatabaseSettings): Promise<{ tableOwner: pg.ClientConfig; stop: () => Promise<void> }> {
  if (external) return { tableOwner: { connectionString: external.ownerUrl }, stop: async () => {} }
  const { socketFolder, stop } = await startEmbedded(data)
  return { tableOwner: createEmbeddedConnections(socketFolder).tableOwner, stop }
}

function createEmbeddedConnections(socketFolder: string): OpenDatabase['connections'] {
  const address = { host: socketFolder, database: 'foyer' }
  return { application: { ...address, user: 'foyer_app' }, tableOwner: { ...address, user: 'foyer' } }
}

async function openExternal(
  { ownerUrl, applicationUrl }: { ownerUrl: string; applicationUrl: string | undefined },
  secret: () => string,
): Promise<OpenDatabase> {
  const tableOwner = { connectionString: ownerUrl }
  const commonParts = { announce: () => {}, crashed: new Promise<string>(() => {}), stop: async () => {} }
  const { application } = createExternalConnections({ ownerUrl, applicationUrl }, secret)
  await migrate(tableOwner, applicationUrl ? {} : { applicationPassword: createPassword(secret()) })
  return { ...commonParts, connections: { tableOwner, application: await requireRowSecurity(application) } }
}

/** The password of the application's role on an external server. */
const createPassword = (secret: string): string => createHmac('sha256', secret).update('foyer_app').digest('base64url')

function createExternalConnections(
  { ownerUrl, applicationUrl }: { ownerUrl: string; applicationUrl: string | undefined },
  secret: () => string,
): OpenDatabase['connections'] {
  const tableOwner = { connectionString: ownerUrl }
  if (applicationUrl) return { tableOwner, application: { connectionString: applicationUrl } }
  const url = new URL(ownerUrl)
  for (const name of ['user', 'password']) url.searchParams.delete(name) // these parameters would override the user and password of the URL
  url.username = 'foyer_app'
  url.password = createPassword(secret())
  return { tableOwner, application: { connectionString: url.href } }
}

/** Throws an `OperatorError` for the owner of the tables and for superusers, because row security does not apply to them. */
async function requireRowSecurity(application: pg.ClientConfig): Promise<pg.ClientConfig> {
  const client = new pg.Client(application)
  await client.connect()
  try {
    const { rows } = await client.query<{ role: string; isRestricted: boolean }>(
      `select current_user as role, row_security_active('public.profiles') as "isRestricted"`,
    )
    if (rows[0]?.isRestricted) return application
    throw new OperatorError(
      `Row security does not apply to the database role ${rows[0]?.role}: use the role foyer_app in DATABASE_APP_URL, as docs/operating.md says.`,
    )
  } finally {
    await client.end()
  }
}
