import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { fromBufferPromise } from 'yauzl'

/**
 * Unpacks a zip and checks the checksums. Returns the content of each file by its path; null for a folder. Refuses absolute paths and paths
 * with `..`.
 */
export async function unzip(bytes: Buffer): Promise<Map<string, Buffer | null>> {
  const zip = await fromBufferPromise(bytes, { strictFileNames: true, lazyEntries: true })
  const entries = new Map<string, Buffer | null>()
  for await (const entry of zip.eachEntry()) {
    const content = entry.fileName.endsWith('/') ? null : await buffer(await zip.openReadStreamPromise(entry))
    if (entries.has(entry.fileName)) throw new Error(`The zip has ${entry.fileName} twice`)
    if (content && crc32(content) !== entry.crc32) throw new Error(`${entry.fileName} has a wrong checksum`)
    entries.set(entry.fileName, content)
  }
  return entries
}
