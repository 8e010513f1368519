import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, constants, existsSync, lstatSync, openSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../operator-error.ts'
import type { Account } from './account.ts'
import { makePrivateFolder } from './folder.ts'
import { killProgramsIn } from './orphans.ts'
import { majorVersion, programEnvironment } from './programs.ts'

/** A data folder of PostgreSQL (`folder`) with its programs, account and log file. `reachable`: see `DataFolder`. */
export type Cluster = { folder: string; programs: string; account: Account; reachable: boolean; logFile: string }

/** Creates the cluster if it does not exist. Throws an `OperatorError` if it was created by another major version of PostgreSQL. */
export async function prepareCluster(cluster: Cluster): Promise<void> {
  const version = join(cluster.folder, 'PG_VERSION')
  if (!existsSync(version)) return createCluster(cluster, ['--data-checksums'])
  const major = readFileSync(version, 'utf8').trim()
  if (major === majorVersion) return
  throw new OperatorError(
    `The database in ${cluster.folder} was written by PostgreSQL ${major}, and this Foyer brings ${majorVersion}: run \`npm run backup\` with the Foyer that wrote it, then \`npm run restore\` with this one into an empty FOYER_DATA.`,
  )
}

/**
 * Values for LC_CTYPE, which defines the letters for pg_trgm. The first one that exists on this machine is used; `C` contains only Latin
 * letters (docs/decisions/0014-letters-of-all-scripts.md).
 */
const characterTypes = ['C.UTF-8', 'C']

/** Creates the cluster with a temporary name and renames it when it is complete, so that a killed start leaves no incomplete cluster. */
export async function createCluster(cluster: Cluster, options: string[], types: readonly string[] = characterTypes): Promise<void> {
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
  throw new Error(`PostgreSQL could not make a database in ${cluster.folder}:\n${readLogEnd(cluster)}`)
}

async function initialise(cluster: Cluster, options: string[]): Promise<boolean> {
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const initdb = runProgram(cluster, 'initdb', ['--username=postgres', '--auth=trust', ...locale, ...options])
  const code = await new Promise<number | null>((done, fail) => initdb.once('exit', done).once('error', fail))
  return code === 0
}

/**
 * Starts a program of PostgreSQL with the cluster's folder as working directory, so that the account need not be able to enter the
 * folders above. The program is detached: Ctrl-C in a terminal ends only this process, which then stops the database.
 */
export function runProgram(cluster: Cluster, program: string, options: string[]): ChildProcess {
  const log = openLog(cluster)
  const child = spawn(join(cluster.programs, 'bin', program), ['-D', cluster.reachable ? cluster.folder : '/proc/self/cwd', ...options], {
    ...cluster.account,
    cwd: cluster.folder,
    detached: true,
    stdio: ['ignore', log, log], // a file and not a pipe, because the database may run longer than this process
    env: programEnvironment,
  })
  closeSync(log)
  return child
}

/** Returns the last 12 lines of PostgreSQL's log, for error messages. */
export function readLogEnd({ logFile }: Cluster): string {
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-12).join('\n')
}

/** Opens the log without following links: the folder may belong to the database's account, which could make root write to another file. */
function openLog({ logFile }: Cluster): number {
  if ((lstatSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > 10_000_000) renameSync(logFile, `${logFile}.1`)
  return openSync(logFile, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
}
