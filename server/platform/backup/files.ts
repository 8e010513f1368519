import { createWriteStream, existsSync, readdirSync } from 'node:fs'
import { mkdir, open, rm } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { errorCode } from '#server/platform/error-code.ts'
import { OperatorError } from '../operator-error.ts'

/** The files of an installation outside its database: the key, and everything under `files` in the data folder. */
export type Installation = { folder: string; keyFile: string }

/** A file to back up. `bytes`: its size when it was opened. */
type OpenFile = { bytes: number; body: AsyncIterable<Buffer> | Iterable<Buffer> }

const keyName = 'secret.key'
const filesFolder = 'files'
const chunkBytes = 256 * 1024

/** Returns the sorted names of the files to back up, with `/` between folders. */
export function listFiles({ folder, keyFile }: Installation): string[] {
  const names = existsSync(keyFile) ? [keyName] : []
  const root = join(folder, filesFolder)
  if (!existsSync(root)) return names
  const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
  return [...names, ...paths.map((path) => path.replaceAll(sep, '/')).toSorted()]
}

/**
 * Opens a file for reading up to its present size. Bytes that are appended later are ignored. Returns undefined if the file was deleted
 * after it was listed. Throws an `OperatorError` for a name that is not UTF-8, because Node cannot open such a file.
 */
export async function openFile(name: string, installation: Installation): Promise<OpenFile | undefined> {
  const path = pathOf(name, installation)
  try {
    const handle = await open(path)
    const { size } = await handle.stat()
    if (size > 0) return { bytes: size, body: handle.createReadStream({ end: size - 1, highWaterMark: chunkBytes }) }
    await handle.close()
    return { bytes: 0, body: [] }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    // Node replaces bytes that are not UTF-8 with this character, so the path does not exist
    if (name.includes('\u{FFFD}')) throw new OperatorError(`${path} has a name that is not UTF-8: rename it.`, { cause: error })
    return undefined
  }
}

/** Throws an `OperatorError` if the installation has a file of this name with different content. */
export async function refuseDifferentFile(name: string, body: AsyncIterable<Buffer>, installation: Installation): Promise<void> {
  const path = pathOf(name, installation)
  if (!existsSync(path) || (await hasContent(path, body))) return
  throw new OperatorError(`${path} exists and differs from the file in the backup: move it away first.`)
}

/** Returns whether the file has exactly these bytes. */
async function hasContent(path: string, body: AsyncIterable<Buffer>): Promise<boolean> {
  await using handle = await open(path)
  let offset = 0
  for await (const chunk of body) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(chunk.length), 0, chunk.length, offset)
    if (!buffer.subarray(0, bytesRead).equals(chunk)) return false
    offset += chunk.length
  }
  return (await handle.stat()).size === offset
}

/** Writes a file unless it exists. Returns the path that was written. Removes a file that could not be written completely. */
export async function writeFile(name: string, body: AsyncIterable<Buffer>, installation: Installation): Promise<string | undefined> {
  const path = pathOf(name, installation)
  if (existsSync(path)) return undefined
  await mkdir(dirname(path), { recursive: true })
  try {
    await pipeline(body, createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true }))
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') await rm(path, { force: true })
    throw error
  }
  return path
}

/** Returns the path of a file in the installation. Throws for a name that leads out of the folder, which only a hostile backup contains. */
function pathOf(name: string, { folder, keyFile }: Installation): string {
  if (name === keyName) return keyFile
  const path = resolve(folder, name)
  if (!path.startsWith(join(folder, filesFolder) + sep)) throw new Error(`${name} is not a path in the folder for files`)
  return path
}
