import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, constants, existsSync, lstatSync, openSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../operator-error.ts'
import type { Account } from './account.ts'
import { makePrivateFolder } from './folder.ts'
import { killAllOn } from './orphans.ts'
import { majorVersion, programEnvironment } from './programs.ts'

/** A folder of PostgreSQL's own, the programs and the account that run on it, and the file that they write their log to. */
export type Cluster = { folder: string; programs: string; account: Account; reachable: boolean; logFile: string }

/** Makes the cluster if there is none, and throws a `OperatorError` if there is one that our programs cannot read. */
export async function prepareCluster(cluster: Cluster): Promise<void> {
  const version = join(cluster.folder, 'PG_VERSION')
  if (!existsSync(version)) return createCluster(cluster, ['--data-checksums'])
  const major = readFileSync(version, 'utf8').trim()
  if (major === majorVersion) return
  throw new OperatorError(
    `The database in ${cluster.folder} was written by PostgreSQL ${major}, and this Foyer brings ${majorVersion}: run \`npm run backup\` with the Foyer that wrote it, then \`npm run restore\` with this one into an empty FOYER_DATA.`,
  )
}

/** By which the trigrams tell what is a letter, and the first that this machine has: `C` knows Latin letters alone (docs/decisions/0014-letters-of-all-scripts.md). */
const letterTypes = ['C.UTF-8', 'C']

/** Made beside its place and renamed when whole, so that a killed first start leaves nothing half made. */
export async function createCluster(cluster: Cluster, options: string[], types: readonly string[] = letterTypes): Promise<void> {
  if (existsSync(cluster.folder) && readdirSync(cluster.folder).length > 0) {
    throw new OperatorError(`${cluster.folder} holds files but no database: restore a backup, or move it away to begin anew.`)
  }
  const fresh = { ...cluster, folder: `${cluster.folder}.new` }
  await killAllOn(fresh.folder)
  for (const type of types) {
    rmSync(fresh.folder, { recursive: true, force: true })
    makePrivateFolder(fresh.folder, cluster.account)
    if (await initialise(fresh, [`--lc-ctype=${type}`, ...options])) return renameSync(fresh.folder, cluster.folder)
  }
  throw new Error(`PostgreSQL could not make a database in ${cluster.folder}:\n${endOfLog(cluster)}`)
}

async function initialise(cluster: Cluster, options: string[]): Promise<boolean> {
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const initdb = runProgram(cluster, 'initdb', ['--username=postgres', '--auth=trust', ...locale, ...options])
  const code = await new Promise<number | null>((done, fail) => initdb.once('exit', done).once('error', fail))
  return code === 0
}

/**
 * Starts a program of PostgreSQL on the cluster. It stands in the cluster's folder, from where an account finds everything even if
 * it may not pass the folders above. Detached, so that Ctrl-C in a terminal reaches us first and not the database.
 */
export function runProgram(cluster: Cluster, program: string, options: string[]): ChildProcess {
  const log = openLog(cluster)
  const child = spawn(join(cluster.programs, 'bin', program), ['-D', cluster.reachable ? cluster.folder : '/proc/self/cwd', ...options], {
    ...cluster.account,
    cwd: cluster.folder,
    detached: true,
    stdio: ['ignore', log, log], // a file and not a pipe: the database of a killed server keeps a place to write to
    env: programEnvironment,
  })
  closeSync(log)
  return child
}

/** The last lines that PostgreSQL wrote, for whoever has to find out why it ended. */
export function endOfLog({ logFile }: Cluster): string {
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-12).join('\n')
}

/** The folder may belong to the database's account, which must not lead root astray with a link. */
function openLog({ logFile }: Cluster): number {
  if ((lstatSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > 10_000_000) renameSync(logFile, `${logFile}.1`)
  return openSync(logFile, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
}
