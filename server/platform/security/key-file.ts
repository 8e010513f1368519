import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from '../error-code.ts'
import { OperatorError } from '../operator-error.ts'

/**
 * The file with the installation's key. The key signs links and cookies and encrypts the stored keys of other services (`seal.ts`), and the
 * password of the application's role on an external server is derived from it. Machines that share a database must have the same file.
 */
export type KeyFile = {
  path: string
  /** Returns the key; undefined when the file does not exist. Throws an `OperatorError` when it cannot be read or contains no key. */
  find: () => string | undefined
  /** Returns the key, and creates the file when it does not exist. Throws an `OperatorError` when it cannot be written. */
  findOrCreate: () => string
}

/** Returns the functions that read and create the file at this path. */
export const openKeyFile = (path: string): KeyFile => ({
  path,
  find: () => findKey(path),
  findOrCreate: () => findKey(path) ?? createKey(path),
})

/** Returns a text that identifies the key and from which the key cannot be computed. */
export const fingerprintOf = (key: string): string => createHmac('sha256', key).update('fingerprint').digest('base64url')

function findKey(path: string): string | undefined {
  try {
    const key = readFileSync(path, 'utf8').trim()
    if (key.length >= 32) return key
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw toFileError(path, 'read', error)
  }
  throw new OperatorError(`${path} does not contain a key: a key has at least 32 characters.`)
}

/** The codes of file systems without hard links, such as shared folders and exFAT. */
const noLinkCodes = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP']

/** Writes a temporary file and then links it to `path`, so that only one of two processes that start at the same time creates the key. */
function createKey(path: string): string {
  const temporaryPath = `${path}.${randomUUID().slice(0, 8)}`
  try {
    mkdirSync(dirname(path), { recursive: true })
    const text = `${randomBytes(32).toString('base64url')}\n`
    writeFileToDisk(temporaryPath, text)
    linkOrWrite(temporaryPath, path, text)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw toFileError(path, 'write', error)
  } finally {
    rmSync(temporaryPath, { force: true })
  }
  const key = findKey(path)
  if (key === undefined) throw new Error(`${path} was written and cannot be found`)
  return key
}

/** Links the temporary file to `path`, or writes `path` itself if the file system has no hard links. Both fail if `path` exists. */
function linkOrWrite(temporaryPath: string, path: string, text: string): void {
  try {
    linkSync(temporaryPath, path)
  } catch (error) {
    if (!noLinkCodes.includes(errorCode(error))) throw error
    writeFileToDisk(path, text)
  }
}

/** Creates the file. Deletes it again when the text cannot be written. */
function writeFileToDisk(path: string, text: string): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  } finally {
    closeSync(file)
  }
}

function toFileError(path: string, action: 'read' | 'write', error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error
  const remedy = 'give the file to the account that runs Foyer, or choose another with FOYER_SECRET_FILE.'
  return new OperatorError(`Foyer cannot ${action} the key in ${path} (${error.message}): ${remedy}`, { cause: error })
}
