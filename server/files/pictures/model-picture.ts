import { buffer } from 'node:stream/consumers'
import type { Picture } from '#server/platform/ai/types.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { readContent } from '../files.store.ts'
import { readWithStorageErrors } from '../storage/storage-errors.ts'
import { findFamily, inspectedBytes } from '../text/family.ts'
import { convertPicture } from './convert.ts'

/** The maximum width and height that models with vision can use, in px. */
const maxSide = 1568
const maxBytes = 4 * 1024 * 1024
/** Larger files are not read, as they also get no thumbnail. */
const maxFileBytes = 100 * 1024 * 1024

/**
 * Reads an image for a model that sees pictures. Returns undefined for a file that is not an image, is damaged or is too large. Throws
 * `not_found`.
 */
export async function readPictureForModel(
  context: AppContext,
  caller: Caller,
  id: string,
  signal: AbortSignal,
): Promise<Picture | undefined> {
  const { database, storage } = context
  const requireFile = () => database.read(caller, () => readContent(caller.owner, id))
  const { storage_path, file_size } = await requireFile()
  if (file_size === 0 || file_size > maxFileBytes) return undefined
  const read = (end: number) => readWithStorageErrors(storage.read(storage_path, { start: 0, end }), requireFile)
  const start = await buffer(read(Math.min(inspectedBytes, file_size) - 1))
  if (findFamily(start, '') !== 'image') return undefined
  const bytes = await convertPicture(context, read(file_size - 1), { format: 'jpeg', maxSide, maxBytes }, signal)
  return bytes && { bytes, mimeType: 'image/jpeg' }
}
