import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, constants, existsSync, lstatSync, openSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../operator-error.ts'
import type { SystemAccount } from './system-account.ts'
import { createDamageError, requireOwner } from './failure.ts'
import { makePrivateFolder } from './folder.ts'
import { killProgramsIn } from './orphans.ts'
import { majorVersion, programEnvironment } from './programs.ts'

/**
 * A data folder of PostgreSQL (`folder`) with its programs, system account and log file. `isFolderReachable`: the system account can enter
 * all folders above `folder`.
 */
export type Cluster = { folder: string; programs: string; systemAccount: SystemAccount; isFolderReachable: boolean; logFile: string }

/**
 * Creates the cluster if it does not exist. Throws an `OperatorError` if it was created by another major version of PostgreSQL, belongs to
 * another system account, or is damaged.
 */
export async function prepareCluster(cluster: Cluster): Promise<void> {
  const versionFile = join(cluster.folder, 'PG_VERSION')
  if (!existsSync(versionFile)) return createCluster(cluster, ['--data-checksums'])
  const major = readFileSync(versionFile, 'utf8').trim()
  if (major === majorVersion) return requireOwner(cluster)
  if (!/^\d+$/.test(major)) throw createDamageError(cluster, 'its file PG_VERSION contains no version')
  throw new OperatorError(
    `The database in ${cluster.folder} was written by PostgreSQL ${major}, and this version of Foyer needs ${majorVersion}: run \`npm run backup\` with the version of Foyer that wrote it, then \`npm run restore\` with this version into an empty FOYER_DATA.`,
  )
}

/**
 * Values for LC_CTYPE, which defines the letters for pg_trgm. The first one that exists on this machine is used; `C` contains only Latin
 * letters (docs/decisions/0014-letters-of-all-scripts.md).
 */
const defaultLcCtypes = ['C.UTF-8', 'C']

/** Creates the cluster with a temporary name and renames it when it is complete, so that a killed start leaves no incomplete cluster. */
export async function createCluster(
  cluster: Cluster,
  initdbOptions: string[],
  lcCtypes: readonly string[] = defaultLcCtypes,
): Promise<void> {
  if (existsSync(cluster.folder) && readdirSync(cluster.folder).length > 0) {
    throw new OperatorError(
      `${cluster.folder} contains files but no database: restore a backup into another folder, or move this folder away to start without data.`,
    )
  }
  const temporaryCluster = { ...cluster, folder: `${cluster.folder}.new` }
  await killProgramsIn(temporaryCluster.folder)
  for (const lcCtype of lcCtypes) {
    rmSync(temporaryCluster.folder, { recursive: true, force: true })
    makePrivateFolder(temporaryCluster.folder, cluster.systemAccount)
    if (await initialise(temporaryCluster, [`--lc-ctype=${lcCtype}`, ...initdbOptions]))
      return renameSync(temporaryCluster.folder, cluster.folder)
  }
  throw new Error(`PostgreSQL could not create a database in ${cluster.folder}:\n${readLogEnd(cluster)}`)
}

/** Creates the files of a new database with the program initdb. Returns false if it fails. */
async function initialise(cluster: Cluster, options: string[]): Promise<boolean> {
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const initdb = runProgram(cluster, 'initdb', ['--username=postgres', '--auth=trust', ...locale, ...options])
  const code = await new Promise<number | null>((resolve, reject) => initdb.once('exit', resolve).once('error', reject))
  return code === 0
}

/**
 * Starts a program of PostgreSQL with the cluster's folder as working directory, so that the system account need not be able to enter the
 * folders above. The program is detached: Ctrl-C in a terminal ends only this process, which then stops the database.
 */
export function runProgram(cluster: Cluster, program: string, options: string[]): ChildProcess {
  const log = openLog(cluster)
  const child = spawn(
    join(cluster.programs, 'bin', program),
    ['-D', cluster.isFolderReachable ? cluster.folder : '/proc/self/cwd', ...options],
    {
      ...cluster.systemAccount,
      cwd: cluster.folder,
      detached: true,
      stdio: ['ignore', log, log], // a file and not a pipe, because the database may run longer than this process
      env: programEnvironment,
    },
  )
  closeSync(log)
  return child
}

/** Returns the last 12 lines of PostgreSQL's log, for error messages. */
export function readLogEnd({ logFile }: Cluster): string {
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-12).join('\n')
}

const maxLogBytes = 10_000_000

/**
 * Opens the log without following links: the folder may belong to the database's system account, which could replace the log by a link, and
 * Foyer as root would write to the file to which it leads.
 */
function openLog({ logFile }: Cluster): number {
  const bytes = lstatSync(logFile, { throwIfNoEntry: false })?.size ?? 0
  if (bytes > maxLogBytes) renameSync(logFile, `${logFile}.1`)
  return openSync(logFile, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
}
