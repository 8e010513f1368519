import { chmodSync, existsSync, lchownSync, lstatSync, mkdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../../error-code.ts'
import { OperatorError } from '../../operator-error.ts'
import { chooseSystemAccount, findUnreachableFolder, describeSystemAccount, type SystemAccount } from './system-account.ts'

/**
 * The data folder and the system account that runs the database. `isFolderReachable` is false if the system account cannot enter a folder
 * on the path. This is allowed only for the default folder, and only on Linux, where `/proc/self/cwd` replaces the path
 * (docs/decisions/0003-database-under-root.md).
 */
export type DataFolder = { path: string; systemAccount: SystemAccount; isFolderReachable: boolean }

/**
 * Creates the data folder if it is missing. A folder that the operator set (`isConfigured`) must be reachable for the database's system
 * account by its path. Throws an `OperatorError` with the reason if the folder cannot be used.
 */
export function prepareFolder(folder: string, { isConfigured }: { isConfigured: boolean }): DataFolder {
  try {
    const path = resolveLinks(folder)
    const systemAccount = chooseSystemAccount(path)
    const unreachableFolder = findUnreachableFolder(findExistingFolder(path), systemAccount)
    if (systemAccount && unreachableFolder && (isConfigured || process.platform !== 'linux'))
      throw toUnreachableError(path, unreachableFolder, systemAccount)
    makeFolder(path, systemAccount ? 0o711 : 0o700)
    return { path, systemAccount, isFolderReachable: !unreachableFolder }
  } catch (error) {
    throw toFolderError(folder, error)
  }
}

/** Converts an error of the file system to an `OperatorError` about the data folder. Returns other errors unchanged. */
export function toFolderError(folder: string, error: unknown): unknown {
  if (error instanceof OperatorError || !(error instanceof Error) || !('syscall' in error)) return error
  if (['ENOSPC', 'EDQUOT'].includes(errorCode(error)))
    return new OperatorError(`The disk of ${folder} is full (${error.message}): free some space, then start again.`, { cause: error })
  return new OperatorError(`Foyer cannot use the data folder ${folder} (${error.message}): choose another with FOYER_DATA.`, {
    cause: error,
  })
}

/** Creates a folder inside the data folder. Only the database's system account and root can enter the new folder. */
export function makePrivateFolder(path: string, systemAccount: SystemAccount): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  // links are not followed: the data folder may belong to that system account, which could make root change another folder
  if (!lstatSync(path).isDirectory()) throw new OperatorError(`${path} must be a folder, not a link or a file.`)
  if (systemAccount && lstatSync(path).uid !== systemAccount.uid) lchownSync(path, systemAccount.uid, systemAccount.gid)
}

function toUnreachableError(path: string, unreachableFolder: string, systemAccount: { uid: number }): OperatorError {
  return new OperatorError(
    `The database runs as ${describeSystemAccount(systemAccount)}, which cannot enter ${unreachableFolder} on the way to ${path}: choose a FOYER_DATA that it can reach, such as /var/lib/foyer.`,
  )
}

/** Returns the path with symbolic links resolved. The last parts of the path need not exist. */
function resolveLinks(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(resolveLinks(dirname(path)), basename(path))
}

/** Returns the folder, or the nearest folder above it that exists. */
function findExistingFolder(path: string): string {
  return existsSync(path) ? path : findExistingFolder(dirname(path))
}

/**
 * Creates a folder and those above it. Sets modes explicitly, because with a strict umask of root the database's account could not enter
 * it.
 */
function makeFolder(path: string, mode: number): void {
  if (existsSync(path)) return
  makeFolder(dirname(path), 0o755)
  mkdirSync(path)
  chmodSync(path, mode)
}
