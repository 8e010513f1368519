import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, constants, existsSync, lstatSync, openSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../operator-error.ts'
import type { Account } from './account.ts'
import { makePrivateFolder } from './folder.ts'
import { killProgramsIn } from './orphans.ts'
import { majorVersion, programEnvironment } from './programs.ts'

/** A data folder of PostgreSQL, the programs and the account that run it, and its log file. `reachable`: see `DataFolder`. */
export type Cluster = { folder: string; programs: string; account: Account; reachable: boolean; logFile: string }

/** Creates the cluster if there is none; throws an `OperatorError` if another version of PostgreSQL wrote it. */
export async function prepareCluster(cluster: Cluster): Promise<void> {
  const version = join(cluster.folder, 'PG_VERSION')
  if (!existsSync(version)) return createCluster(cluster, ['--data-checksums'])
  const major = readFileSync(version, 'utf8').trim()
  if (major === majorVersion) return
  throw new OperatorError(
    `The database in ${cluster.folder} was written by PostgreSQL ${major}, and this Foyer brings ${majorVersion}: run \`npm run backup\` with the Foyer that wrote it, then \`npm run restore\` with this one into an empty FOYER_DATA.`,
  )
}

/** LC_CTYPE tells pg_trgm what a letter is. The first one that this machine has is used; `C` knows Latin letters alone (docs/decisions/0014-letters-of-all-scripts.md). */
const letterTypes = ['C.UTF-8', 'C']

/** Creates the cluster under another name and renames it when complete, so that a killed first start leaves no half cluster. */
export async function createCluster(cluster: Cluster, options: string[], types: readonly string[] = letterTypes): Promise<void> {
  if (existsSync(cluster.folder) && readdirSync(cluster.folder).length > 0) {
    throw new OperatorError(`${cluster.folder} holds files but no database: restore a backup, or move it away to begin anew.`)
  }
  const temporary = { ...cluster, folder: `${cluster.folder}.new` }
  await killProgramsIn(temporary.folder)
  for (const type of types) {
    rmSync(temporary.folder, { recursive: true, force: true })
    makePrivateFolder(temporary.folder, cluster.account)
    if (await initialise(temporary, [`--lc-ctype=${type}`, ...options])) return renameSync(temporary.folder, cluster.folder)
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
 * Starts a program of PostgreSQL in the cluster's folder, where the account finds everything even if it may not enter the folders above.
 * Detached, so that Ctrl-C in a terminal reaches only this process, which then stops the database.
 */
export function runProgram(cluster: Cluster, program: string, options: string[]): ChildProcess {
  const log = openLog(cluster)
  const child = spawn(join(cluster.programs, 'bin', program), ['-D', cluster.reachable ? cluster.folder : '/proc/self/cwd', ...options], {
    ...cluster.account,
    cwd: cluster.folder,
    detached: true,
    stdio: ['ignore', log, log], // a file and not a pipe: the database may outlive this process
    env: programEnvironment,
  })
  closeSync(log)
  return child
}

/** The last 12 lines of PostgreSQL's log, for error messages. */
export function endOfLog({ logFile }: Cluster): string {
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-12).join('\n')
}

/** The folder may belong to the database's account, which must not make root write through a link. */
function openLog({ logFile }: Cluster): number {
  if ((lstatSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > 10_000_000) renameSync(logFile, `${logFile}.1`)
  return openSync(logFile, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
}
