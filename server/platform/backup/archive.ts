import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { OperatorError } from '../operator-error.ts'
import { refuseDifferentFile, type Installation } from './files.ts'
import { Completion, completionName, fileFolder, Manifest, manifestName } from './manifest.ts'
import { readTar, type Entry } from './tar.ts'

// Reads and checks the file of a backup: a gzipped tar, which begins with a manifest and ends with a completion file.

/** Limits the memory that a damaged or hostile file can use. */
const maxJsonBytes = 16 * 1024 * 1024

/** The description of a backup: its manifest, the number of rows of each table, and the files that are missing in it. */
export type Contents = Manifest & Completion

/** Returns the entries of a backup, in the order in which they were written. */
export async function* readArchive(file: string): AsyncGenerator<Entry> {
  const unzipped = createGunzip({ chunkSize: 256 * 1024 })
  pipeline(createReadStream(file), unzipped, () => {}) // an error is thrown where `unzipped` is read
  yield* readTar(unzipped)
}

/**
 * Reads a whole backup and writes nothing. Throws an `OperatorError` when the file is not a backup, is incomplete, or contains a file that
 * differs from the file of the same name in the installation.
 */
export async function checkArchive(file: string, installation: Installation): Promise<Contents> {
  let manifest: Manifest | undefined
  let completion: Completion | undefined
  try {
    for await (const entry of readArchive(file)) {
      const { name, body } = entry
      manifest ??= await readManifest(entry)
      if (!manifest) break
      if (name.startsWith(fileFolder)) await refuseDifferentFile(name.slice(fileFolder.length), body, installation)
      if (name === completionName) completion = Completion.parse(await readJson(entry))
    }
  } catch (error) {
    throw toOperatorError(error, file, manifest !== undefined)
  }
  if (!manifest) throw toUnknownFormatError(file)
  if (!completion) throw toDamagedError(file)
  return { ...manifest, ...completion }
}

async function readManifest(entry: Entry): Promise<Manifest | undefined> {
  return entry.name === manifestName ? Manifest.safeParse(await readJson(entry)).data : undefined
}

async function readJson({ name, bytes, body }: Entry): Promise<unknown> {
  if (bytes > maxJsonBytes) throw new Error(`${name} is too large`)
  return JSON.parse((await buffer(body)).toString())
}

/** Converts an error to the sentence for the operator. `isBackup`: the manifest was read before, so the file is a backup and is damaged. */
function toOperatorError(error: unknown, file: string, isBackup: boolean): Error {
  if (error instanceof OperatorError) return error
  if (!(error instanceof Error)) return toUnknownFormatError(file)
  if ('syscall' in error) return new OperatorError(`${file} cannot be read (${error.message}).`, { cause: error })
  // the codes of zlib errors begin with Z_; the message 'incorrect header check' means that the file is not a gzip file
  const isGzip = 'code' in error && String(error.code).startsWith('Z_') && error.message !== 'incorrect header check'
  return isBackup || isGzip ? toDamagedError(file, error) : toUnknownFormatError(file, error)
}

const toUnknownFormatError = (file: string, cause?: Error): OperatorError =>
  new OperatorError(`${file} is not a backup that this Foyer can read.`, { cause })

const toDamagedError = (file: string, cause?: Error): OperatorError =>
  new OperatorError(`${file} is damaged or incomplete: restore another copy of it.`, { cause })
