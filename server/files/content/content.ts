// Sends the bytes of files: with the session of their owner, by a link, and as thumbnails.
import { buffer } from 'node:stream/consumers'
import { readFileType } from '#contract/fileNames.ts'
import type { StoredFile } from '#contract/route.ts'
import { callerFor, type Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { Signer } from '#server/platform/security/signer.ts'
import { findByPath, readContent } from '../files.store.ts'
import { findInlineType, inspectedBytes } from './inline-type.ts'
import { readWithStorageErrors } from '../storage/storage-errors.ts'
import { readThumbnail } from '../text/text.store.ts'

/** The time for which a link to a file works. */
const linkMs = 60_000

/** Opens a file for sending. With `inline` a browser shows it if its type is safe. Throws `not_found`. */
export async function openContent(
  { database, storage }: AppContext,
  caller: Caller,
  id: string,
  disposition: 'attachment' | 'inline',
): Promise<StoredFile> {
  const file = await database.read(caller, () => readContent(caller.owner, id))
  /** Throws `not_found` if the file was deleted after it was opened; otherwise missing bytes are reported as `bytes_lost`. */
  const requireFile = (): Promise<unknown> => database.read(caller, () => readContent(caller.owner, id))
  const read: StoredFile['read'] = (range) => readWithStorageErrors(storage.read(file.storage_path, range), requireFile)
  const firstBytes =
    disposition === 'inline' ? await buffer(read({ start: 0, end: Math.min(inspectedBytes, file.file_size) - 1 })) : undefined
  const inlineType = firstBytes && findInlineType(readFileType(file.file_name), firstBytes)
  return {
    name: file.file_name,
    type: inlineType ?? 'application/octet-stream',
    size: file.file_size,
    etag: file.object_id,
    disposition: inlineType === undefined ? 'attachment' : 'inline',
    read,
  }
}

/** Opens the small picture of an image for sending. Throws `not_found` if the file has none. */
export async function openThumbnail({ database }: AppContext, caller: Caller, id: string): Promise<StoredFile> {
  const { object_id, image } = await database.read(caller, () => readThumbnail(caller.owner, id))
  return {
    name: 'thumbnail.webp',
    type: 'image/webp',
    size: image.byteLength,
    etag: object_id,
    disposition: 'inline',
    read: async function* ({ start, end }) {
      yield image.subarray(start, end + 1)
    },
  }
}

/** Creates a link that works for a minute without a session. It leads to the file with this storage path. Throws `not_found`. */
export async function createLink({ database, now, settings }: AppContext, signer: Signer, caller: Caller, path: string): Promise<string> {
  const id = await database.read(caller, () => findByPath(caller.owner, path))
  const token = signer.sign(`${caller.owner} ${id}`, new Date(now().getTime() + linkMs))
  return `${settings.address}/api/file-links/${token}`
}

/** Opens the file of a link. Throws `link_expired`, and `not_found` for an altered link and for a file that was deleted. */
export async function openLink(context: AppContext, signer: Signer, token: string): Promise<StoredFile> {
  const verified = signer.verify(token, context.now())
  if (verified === 'expired') throw new Refusal('link_expired')
  if (verified === 'unknown') throw new Refusal('not_found')
  const [owner = '', id = ''] = verified.text.split(' ')
  return openContent(context, callerFor(owner), id, 'attachment')
}
