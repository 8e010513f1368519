import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
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
    return { ...rest, connections: { owner, application: { connectionString: applicationUrl } } }
  }
  const password = createHmac('sha256', secret()).update('foyer_app').digest('base64url')
  await migrate(owner, { applicationPassword: password })
  const url = new URL(ownerUrl)
  url.username = 'foyer_app'
  url.password = password
  return { ...rest, connections: { owner, application: { connectionString: url.href } } }
}
