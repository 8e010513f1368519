import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { OperatorError } from '../operator-error.ts'
import { openSocketFolder } from './embedded/sockets.ts'
import { startEmbedded } from './embedded/start.ts'
import { migrate } from './migrate.ts'

/** Which database the application uses. */
export type DatabaseChoice = {
  /** Where the embedded server keeps its files; `named` when the operator chose the folder. */
  data: { folder: string; named: boolean }
  /** Another PostgreSQL instead: the address of the owning role, and of the application's role if it has one of its own. */
  external: { ownerUrl: string; applicationUrl: string | undefined } | undefined
  /** The application role's password on an external server is derived from it. */
  secret: () => string
}

export type OpenDatabase = {
  connections: { application: pg.ClientConfig; owner: pg.ClientConfig }
  /** Sets the address that the refusal of a second start on the same data folder names. */
  announce: (address: string) => void
  /** Resolves with a reason when the embedded server cannot be kept running. */
  crashed: Promise<string>
  stop: () => Promise<void>
}

/** Starts or finds the database and brings its tables up to date. */
export async function openDatabase({ data, external, secret }: DatabaseChoice): Promise<OpenDatabase> {
  if (external) return openExternal(external, secret)
  const embedded = await startEmbedded(data)
  const connections = connectionsThrough(embedded.socketFolder)
  try {
    await migrate(connections.owner)
  } catch (error) {
    await embedded.stop()
    throw error
  }
  return { connections, announce: embedded.announce, crashed: embedded.crashed, stop: embedded.stop }
}

/** The database for a command of the operator: the one that a running Foyer serves, else the database is started until `stop`. */
export async function openDatabaseForCommand(choice: DatabaseChoice): Promise<OpenDatabase> {
  if (choice.external) return openDatabase(choice)
  const sockets = openSocketFolder(join(choice.data.folder, 'run'))
  const connections = connectionsThrough(sockets.path)
  const client = new pg.Client(connections.owner)
  try {
    await client.connect()
    await client.end()
    return { connections, announce: () => {}, crashed: new Promise<string>(() => {}), stop: async () => sockets.close() }
  } catch {
    sockets.close()
    return openDatabase(choice) // no Foyer runs
  }
}

/** The database without running migrations, for a restore, which creates the tables itself. */
export async function openUnmigrated({ data, external }: DatabaseChoice): Promise<{ owner: pg.ClientConfig; stop: () => Promise<void> }> {
  if (external) return { owner: { connectionString: external.ownerUrl }, stop: async () => {} }
  const { socketFolder, stop } = await startEmbedded(data)
  return { owner: connectionsThrough(socketFolder).owner, stop }
}

function connectionsThrough(socketFolder: string): OpenDatabase['connections'] {
  const address = { host: socketFolder, database: 'foyer' }
  return { application: { ...address, user: 'foyer_app' }, owner: { ...address, user: 'foyer' } }
}

async function openExternal(
  { ownerUrl, applicationUrl }: { ownerUrl: string; applicationUrl: string | undefined },
  secret: () => string,
): Promise<OpenDatabase> {
  const owner = { connectionString: ownerUrl }
  const rest = { announce: () => {}, crashed: new Promise<string>(() => {}), stop: async () => {} }
  if (applicationUrl) {
    await migrate(owner)
    return { ...rest, connections: { owner, application: await requireRowSecurity({ connectionString: applicationUrl }) } }
  }
  const password = createHmac('sha256', secret()).update('foyer_app').digest('base64url')
  await migrate(owner, { applicationPassword: password })
  const url = new URL(ownerUrl)
  for (const name of ['user', 'password']) url.searchParams.delete(name) // parameters would override the user in front of the host
  url.username = 'foyer_app'
  url.password = password
  return { ...rest, connections: { owner, application: await requireRowSecurity({ connectionString: url.href }) } }
}

/** Policies do not apply to the owner of the tables and to superusers. Throws an `OperatorError` for such a role. */
async function requireRowSecurity(application: pg.ClientConfig): Promise<pg.ClientConfig> {
  const client = new pg.Client(application)
  await client.connect()
  try {
    const { rows } = await client.query<{ role: string; isRestricted: boolean }>(
      `select current_user as role, row_security_active('public.profiles') as "isRestricted"`,
    )
    if (rows[0]?.isRestricted) return application
    throw new OperatorError(
      `Row security does not apply to the database role ${rows[0]?.role}: name foyer_app in DATABASE_APP_URL, as docs/operating.md says.`,
    )
  } finally {
    await client.end()
  }
}
