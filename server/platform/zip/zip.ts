import { buffer } from 'node:stream/consumers'
import { makeZip, predictLength } from 'client-zip'
import { checkSize } from '#server/platform/storage/storage.ts'

/**
 * An entry of a zip. `path` has the names of its folders, separated by "/". A folder has no content. `read` may start to read when it is
 * called, and is called once. A long `path` can be a getter, so that it takes memory only while it is read.
 */
export type ZipEntry = { path: string; modifiedAt: Date; content?: { size: number; read: () => AsyncIterable<Uint8Array> } }

/**
 * The maximum length of the path of an entry in UTF-8. Linux cannot open a longer path, and the paths of all entries of a zip are in memory
 * until it is sent.
 */
export const maxZipPathBytes = 4000

/** Small chunks are joined up to this size, because each chunk costs a write to the socket. */
const chunkBytes = 256 * 1024
/**
 * Several files up to this size are read at once, before they are written into the zip. One after the other would be slow for many small
 * files, because the storage needs some time until it sends the first byte of each.
 */
const smallFileBytes = 256 * 1024
/** Small files are read ahead among this number of entries, counted from the entry that is needed now. */
const maxReadAhead = 8

/** Returns the exact size of the zip in bytes. */
export const computeZipSize = (entries: readonly ZipEntry[]): number => Number(predictLength(nameEntries(entries)))

/** Yields the names and sizes of the entries as the library needs them. The name of a folder ends with "/". */
function* nameEntries(entries: readonly ZipEntry[]): Generator<{ name: string } | { name: string; size: number }> {
  for (const { path, content } of entries) yield content ? { name: path, size: content.size } : { name: `${path}/` }
}

/**
 * Returns the bytes of a zip that stores its files uncompressed. Throws when a file has another size than announced or cannot be read, so
 * that a zip is never silently incomplete. Ends all reading when the consumer stops.
 */
export async function* createZip(entries: readonly ZipEntry[]): AsyncGenerator<Uint8Array> {
  const openContents = new Set<AsyncGenerator<Uint8Array>>()
  const zip = makeZip(openEntries(entries, openContents))
  try {
    yield* joinChunks(zip)
  } finally {
    // the library does not end the entry that it was reading
    await Promise.all([...openContents].map((content) => content.return(undefined)))
  }
}

/** Opens the entries in their order. `openContents` has the content that is being read. */
async function* openEntries(entries: readonly ZipEntry[], openContents: Set<AsyncGenerator<Uint8Array>>) {
  const ahead = readAhead(entries)
  for (const [index, { path, modifiedAt, content }] of entries.entries()) {
    if (!content) {
      yield { name: `${path}/`, lastModified: modifiedAt }
      continue
    }
    const { size, read } = content
    const input = checkSize(ahead.take(index) ?? read(), size)
    openContents.add(input)
    yield { name: path, lastModified: modifiedAt, size, input }
    openContents.delete(input)
  }
}

/** Reads small files before their entries are needed. `take` returns the content of an entry; undefined if it is not a small file. */
function readAhead(entries: readonly ZipEntry[]) {
  const startedReads = new Map<number, Promise<Uint8Array>>()
  let next = 0
  const start = (index: number): void => {
    const content = entries[index]?.content
    if (!content || content.size > smallFileBytes) return
    const bytes = buffer(content.read())
    bytes.catch(() => {}) // the error is thrown later, when the entry is read
    startedReads.set(index, bytes)
  }
  return {
    take: (index: number): AsyncIterable<Uint8Array> | undefined => {
      next = Math.max(next, index)
      const end = Math.min(entries.length, index + maxReadAhead)
      for (; next < end; next++) start(next)
      const bytes = startedReads.get(index)
      startedReads.delete(index)
      return bytes && yieldLater(bytes)
    },
  }
}

/** Yields the bytes when they have been read. */
async function* yieldLater(bytes: Promise<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield await bytes
}

/** Joins small chunks. */
async function* joinChunks(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of content) {
    chunks.push(chunk)
    bytes += chunk.byteLength
    if (bytes < chunkBytes) continue
    yield chunks.length === 1 ? chunk : Buffer.concat(chunks)
    chunks = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(chunks)
}
