import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, open, readdir, rename, rm, rmdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { errorCode } from '../error-code.ts'
import type { ByteRange } from '../http/range.ts'
import { countTransferredBytes } from '../memory.ts'
import { checkSize, partBytes, StorageError, type ListedObject, type Storage } from './storage.ts'

const chunkBytes = 256 * 1024
const unfinishedSuffix = '.unfinished'
/** Uploads leave this space free, because the database is usually on the same disk and stops when it is full. */
const defaultMinFreeBytes = 500e6

/**
 * Stores objects in a folder. An object is a folder named by its key, and each of its parts is a file named by its number. A part is
 * written under another name, flushed to the disk and renamed, so that a part that exists is complete, also after a crash. The folder has
 * another name until the upload is finished, so that a part that arrives late cannot change a finished object. An upload or a part that
 * would leave less than `minFreeBytes` of the disk free fails with `full`.
 */
export function openDiskStorage(folder: string, { minFreeBytes = defaultMinFreeBytes } = {}): Storage {
  const folderOf = (key: string): string => join(folder, key)
  const uploadFolderOf = (key: string): string => join(folder, `${key}${unfinishedSuffix}`)
  const remove = (path: string): Promise<void> =>
    withDiskErrors(async () => {
      await rm(path, { recursive: true, force: true, maxRetries: 3 }) // a part that is being written may add a file meanwhile
      await rmdir(dirname(path)).catch(() => {}) // succeeds only when it was the last object of its folder
    })
  const requireSpace = async (bytes: number): Promise<void> => {
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize - bytes < minFreeBytes) throw new StorageError('full', 'The disk has too little space')
  }
  return {
    startUpload: (key, size) =>
      withDiskErrors(async () => {
        const uploadFolder = uploadFolderOf(key)
        await makeFolder(folder)
        await requireSpace(size)
        await makeFolder(uploadFolder)
        if (existsSync(folderOf(key))) await remove(uploadFolder) // a repeated start, after the upload was finished
        await flushFolder(dirname(uploadFolder))
        await flushFolder(folder)
        return ''
      }),
    writePart: ({ key }, number, content, size) =>
      withDiskErrors(async () => {
        await requireSpace(size)
        return writePart(uploadFolderOf(key), number, checkSize(content, size))
      }),
    finishUpload: ({ key }, etags) => withDiskErrors(() => finishUpload(uploadFolderOf(key), folderOf(key), etags.length)),
    cancelUpload: ({ key }) => remove(uploadFolderOf(key)),
    read: (key, range) => readParts(folderOf(key), range),
    delete: (key) => remove(folderOf(key)),
    list: (prefix) => listObjects(folder, prefix),
  }
}

/** Renames the folder of an upload, which makes its parts an object. Throws `wrong_parts` if a part is missing. */
async function finishUpload(uploadFolder: string, folder: string, partCount: number): Promise<void> {
  try {
    const names = new Set(await readdir(uploadFolder))
    // a backup made during an upload may have the row of a part without its bytes
    for (let number = 0; number < partCount; number++)
      if (!names.has(String(number))) throw new StorageError('wrong_parts', `Part ${number} does not exist`)
    await rename(uploadFolder, folder)
  } catch (error) {
    if (existsSync(folder)) return // it was finished before
    throw error
  }
  await deleteUnfinished(folder)
  await flushFolder(dirname(folder))
}

/** Writes a part under a temporary name and renames it when it is complete. Returns an empty ETag, because only S3 needs one. */
async function writePart(folder: string, number: number, content: AsyncIterable<Uint8Array>): Promise<string> {
  const unfinishedFile = join(folder, `${number}.${randomUUID()}${unfinishedSuffix}`)
  try {
    await pipeline(content, createWriteStream(unfinishedFile, { flags: 'wx', flush: true }))
    await rename(unfinishedFile, join(folder, String(number)))
    await flushFolder(folder)
  } catch (error) {
    await rm(unfinishedFile, { force: true })
    throw error
  }
  return ''
}

/** Creates a folder and the folders above it. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
  } catch (error) {
    // on a read-only disk, Node reports that the folder is missing
    if (errorCode(error) === 'ENOENT') throw new StorageError('unavailable', 'The folder cannot be created', error)
    throw error
  }
}

/** Writes the names of the files in a folder to the disk, so that new files survive a power failure. */
async function flushFolder(folder: string): Promise<void> {
  await using handle = await open(folder)
  await handle.sync()
}

/** Deletes the files of writes that were interrupted by a crash. */
async function deleteUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder)
  for (const name of names) if (name.endsWith(unfinishedSuffix)) await rm(join(folder, name), { force: true })
}

/** Reads a range from the files of the parts that have its bytes. */
async function* readParts(folder: string, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  let position = start
  while (position <= end) {
    const number = Math.floor(position / partBytes)
    const partStart = number * partBytes
    const last = Math.min(end, partStart + partBytes - 1)
    const stream = createReadStream(join(folder, String(number)), {
      start: position - partStart,
      end: last - partStart,
      highWaterMark: chunkBytes,
    })
    yield* withReadErrors(stream)
    position = last + 1
  }
}

/** Lists objects and unfinished uploads. A key is `owner/name`, so objects are two levels below the folder. */
async function* listObjects(folder: string, prefix: string): AsyncGenerator<ListedObject> {
  const [ownerPrefix = ''] = prefix.split('/')
  for (const owner of await listNames(folder)) {
    const matchesPrefix = prefix.includes('/') ? owner === ownerPrefix : owner.startsWith(ownerPrefix)
    if (!matchesPrefix) continue
    for (const name of await listNames(join(folder, owner))) {
      const isUpload = name.endsWith(unfinishedSuffix)
      const key = `${owner}/${isUpload ? name.slice(0, -unfinishedSuffix.length) : name}`
      const parts = key.startsWith(prefix) ? await measureParts(join(folder, owner, name)) : undefined
      if (!parts) continue
      const { size, writtenAt } = parts
      yield isUpload ? { key, size: undefined, writtenAt, uploadId: '' } : { key, size, writtenAt, uploadId: undefined }
    }
  }
}

/** Returns the total size of the parts in a folder and the time of the last write; undefined if it was deleted or renamed meanwhile. */
async function measureParts(folder: string): Promise<{ size: number; writtenAt: Date } | undefined> {
  try {
    let size = 0
    let { mtimeMs: writtenAt } = await stat(folder)
    for (const name of await readdir(folder)) {
      const part = await stat(join(folder, name))
      if (/^\d+$/.test(name)) size += part.size
      writtenAt = Math.max(writtenAt, part.mtimeMs)
    }
    return { size, writtenAt: new Date(writtenAt) }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Returns the names of the folders in a folder; none if it does not exist. */
async function listNames(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory()).map(({ name }) => name)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}

/** Passes the content on, and converts an error of the disk. */
async function* withReadErrors(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of content) {
      countTransferredBytes(chunk.byteLength)
      yield chunk
    }
  } catch (error) {
    throw toStorageError(error)
  }
}

async function withDiskErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toStorageError(error)
  }
}

/** Converts an error of the file system. Returns other errors unchanged. */
function toStorageError(error: unknown): unknown {
  const code = errorCode(error)
  if (code === 'ENOSPC' || code === 'EDQUOT') return new StorageError('full', 'The disk has no space', error)
  if (code === 'ENOENT') return new StorageError('missing', 'The object does not exist', error)
  const isDiskError = error instanceof Error && 'syscall' in error
  return isDiskError ? new StorageError('unavailable', `The disk failed with ${code}`, error) : error
}
