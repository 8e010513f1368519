import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { OperatorError } from '../operator-error.ts'
import { openSocketFolder } from './embedded/sockets.ts'
import { startEmbedded } from './embedded/start.ts'
import { migrate } from './migrate.ts'

/** Which database the product keeps its rows in. */
export type DatabaseChoice = {
  /** Where the embedded server keeps its files; `named` when the operator chose the folder. */
  data: { folder: string; named: boolean }
  /** Somebody else's PostgreSQL: the owner's address, perhaps the application role's own. */
  external: { ownerUrl: string; applicationUrl: string | undefined } | undefined
  /** What the application role's password on an external server is made from. */
  secret: () => string
}

export type OpenDatabase = {
  connections: { application: pg.ClientConfig; owner: pg.ClientConfig }
  /** Tells a second start on the same data folder where Foyer answers. */
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

/** The database for a short job of the operator: the one that a running Foyer has open, else our own for as long as the job takes. */
export async function visitDatabase(choice: DatabaseChoice): Promise<OpenDatabase> {
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
    return openDatabase(choice) // nobody serves it
  }
}

/** The database as it is, for its owner alone, with no Foyer on it: for a restore, which makes the tables itself. */
export async function openUnmigrated({ data, external }: DatabaseChoice): Promise<{ owner: pg.ClientConfig; stop: () => Promise<void> }> {
  if (external) return { owner: { connectionString: external.ownerUrl }, stop: async () => {} }
  const { socketFolder, stop } = await startEmbedded(data)
  return { owner: connectionsThrough(socketFolder).owner, stop }
}

function connectionsThrough(socketFolder: string): OpenDatabase['connections'] {
  const at = { host: socketFolder, database: 'foyer' }
  return { application: { ...at, user: 'foyer_app' }, owner: { ...at, user: 'foyer' } }
}

async function openExternal(
  { ownerUrl, applicationUrl }: { ownerUrl: string; applicationUrl: string | undefined },
  secret: () => string,
): Promise<OpenDatabase> {
  const owner = { connectionString: ownerUrl }
  const rest = { announce: () => {}, crashed: new Promise<string>(() => {}), stop: async () => {} }
  if (applicationUrl) {
    await migrate(owner)
    return { ...rest, connections: { owner, application: await boundByRowSecurity({ connectionString: applicationUrl }) } }
  }
  const password = createHmac('sha256', secret()).update('foyer_app').digest('base64url')
  await migrate(owner, { applicationPassword: password })
  const url = new URL(ownerUrl)
  for (const name of ['user', 'password']) url.searchParams.delete(name) // they would win over what stands before the host
  url.username = 'foyer_app'
  url.password = password
  return { ...rest, connections: { owner, application: await boundByRowSecurity({ connectionString: url.href }) } }
}

/** The owner of the tables and superusers see every row, whatever the policies say. Throws an `OperatorError` for such a role. */
async function boundByRowSecurity(application: pg.ClientConfig): Promise<pg.ClientConfig> {
  const client = new pg.Client(application)
  await client.connect()
  try {
    const { rows } = await client.query<{ role: string; bound: boolean }>(
      `select current_user as role, row_security_active('public.profiles') as bound`,
    )
    if (rows[0]?.bound) return application
    throw new OperatorError(
      `Foyer would work in the database as ${rows[0]?.role}, whom row security does not bind: name foyer_app in DATABASE_APP_URL, as docs/operating.md says.`,
    )
  } finally {
    await client.end()
  }
}
