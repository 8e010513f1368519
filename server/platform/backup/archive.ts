import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { OperatorError } from '../operator-error.ts'
import { refuseOther, type Installation } from './files.ts'
import { Completion, completionName, fileFolder, Manifest, manifestName } from './manifest.ts'
import { readTar, type Entry } from './tar.ts'

/** What a backup says of itself. */
export type Contents = Manifest & { rows: Record<string, number> }

/** The entries of a backup, in the order in which they were written. */
export async function* readArchive(file: string): AsyncGenerator<Entry> {
  const unzipped = createGunzip({ chunkSize: 256 * 1024 })
  pipeline(createReadStream(file), unzipped, () => {}) // what goes wrong is told to whoever reads
  yield* readTar(unzipped)
}

/**
 * Reads a backup from its first byte to its last and writes nothing. Throws a `OperatorError` when it is not one, is not whole, or
 * brings a file in whose place there is another.
 */
export async function checkArchive(file: string, installation: Installation): Promise<Contents> {
  let manifest: Manifest | undefined
  let rows: Contents['rows'] | undefined
  try {
    for await (const { name, body } of readArchive(file)) {
      manifest ??= readManifest(name, body)
      if (!manifest) break
      if (name.startsWith(fileFolder)) refuseOther(name.slice(fileFolder.length), body, installation)
      if (name === completionName) rows = Completion.parse(JSON.parse(body.toString())).rows
    }
  } catch (error) {
    throw toRefusal(error, file, manifest !== undefined)
  }
  if (!manifest) throw foreign(file)
  if (!rows) throw damaged(file)
  return { ...manifest, rows }
}

function readManifest(name: string, body: Buffer): Manifest | undefined {
  return name === manifestName ? Manifest.safeParse(JSON.parse(body.toString())).data : undefined
}

function toRefusal(error: unknown, file: string, isBackup: boolean): Error {
  if (error instanceof OperatorError) return error
  if (!(error instanceof Error)) return foreign(file)
  if ('syscall' in error) return new OperatorError(`${file} cannot be read (${error.message}).`, { cause: error })
  const isZip = 'code' in error && String(error.code).startsWith('Z_') && error.message !== 'incorrect header check'
  return isBackup || isZip ? damaged(file, error) : foreign(file, error)
}

const foreign = (file: string, cause?: Error): OperatorError =>
  new OperatorError(`${file} is not a backup that this Foyer can read.`, { cause })

const damaged = (file: string, cause?: Error): OperatorError =>
  new OperatorError(`${file} is damaged or was cut short: restore another copy of it.`, { cause })
