// The database that Foyer brings along: a PostgreSQL of its own in the data folder, reached by a socket that only its account may open.
import { join } from 'node:path'
import { OperatorError } from '../../operator-error.ts'
import { prepareCluster } from './cluster.ts'
import { makePrivateFolder, prepareFolder } from './folder.ts'
import { endLeftovers } from './orphans.ts'
import { takeLock } from './lock.ts'
import { openPrograms } from './programs.ts'
import { createOwnDatabase } from './roles.ts'
import { serve } from './server.ts'
import { serverSettings } from './settings.ts'
import { openSocketFolder } from './sockets.ts'

/**
 * `socketFolder` is the `host` of connections in this process. `announce` tells whoever is refused this folder where Foyer can be
 * opened. `crashed` resolves with the reason when the database has ended too often to be started again.
 */
export type Embedded = {
  socketFolder: string
  announce: (address: string) => void
  stop: () => Promise<void>
  crashed: Promise<string>
}

/**
 * Starts the database in `folder`, at first making it with the role and the database `foyer`. `named` says that the operator chose
 * the folder. Waits up to five seconds for a Foyer on the same folder that is just stopping.
 * Throws a `OperatorError` in one sentence when the folder is held, cannot be reached, or was written by another version.
 */
export async function startEmbedded({ folder, named }: { folder: string; named: boolean }): Promise<Embedded> {
  if (process.platform === 'win32') throw new OperatorError('Foyer brings no database for Windows: set DATABASE_URL, or run it in WSL.')
  const { path, account, reachable } = prepareFolder(folder, named)
  const cluster = {
    folder: join(path, 'pg'),
    programs: openPrograms(account),
    account,
    reachable,
    logFile: join(path, 'postgres.log'),
  }
  const run = join(path, 'run')
  makePrivateFolder(run, account)
  await using opened = new AsyncDisposableStack() // closes what is open if a later step fails
  const sockets = opened.adopt(openSocketFolder(run), ({ close }) => close())
  const lock = opened.adopt(await takeLock(sockets.path, path), ({ release }) => release())
  await endLeftovers(cluster.folder, join(sockets.path, '.s.PGSQL.5432'))
  await prepareCluster(cluster)
  const server = opened.adopt(await serve(cluster, serverSettings()), ({ stop }) => stop())
  await createOwnDatabase(sockets.path)
  const open = opened.move()
  return { socketFolder: sockets.path, announce: lock.announce, stop: () => open.disposeAsync(), crashed: server.crashed }
}
