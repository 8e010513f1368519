// Downloads the files of answers, and adds them to Files.
import type { File } from '#contract/files.ts'
import type { StoredFile } from '#contract/route.ts'
import { readFile, uploadBytes } from '#server/files/files.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import type { ByteRange } from '#server/platform/http/range.ts'
import { readMessageFile, readMessageFileBytes, readMessageFileRange } from './message-files.store.ts'

/** Files are read in parts of this size, so that a slow client needs little memory. */
const partBytes = 256 * 1024

/** Yields the bytes of a file of an answer from `start` to `end`, which is included. Throws `not_found`. */
export async function* readFileParts(
  { database }: Pick<AppContext, 'database'>,
  caller: Caller,
  id: string,
  { start, end }: ByteRange,
): AsyncGenerator<Buffer> {
  for (let from = start; from <= end; from += partBytes) {
    const part = { start: from, end: Math.min(from + partBytes - 1, end) }
    yield await database.read(caller, () => readMessageFileRange(caller.owner, id, part))
  }
}

/** Opens a file of an answer for sending. A browser always downloads it, whatever type the model has claimed. Throws `not_found`. */
export async function openMessageFile({ database }: AppContext, caller: Caller, id: string): Promise<StoredFile> {
  const file = await database.read(caller, () => readMessageFile(caller.owner, id))
  return {
    name: file.file_name,
    type: 'application/octet-stream',
    size: file.file_size,
    etag: id,
    read: (range) => readFileParts({ database }, caller, id, range),
  }
}

/** Adds a file of an answer to Files, under a free name. Throws `not_found`, and the errors of uploads. */
export async function saveMessageFile(context: AppContext, caller: Caller, id: string, folderId: string | null): Promise<File> {
  const { owner } = caller
  const [file, bytes] = await context.database.read(caller, () =>
    Promise.all([readMessageFile(owner, id), readMessageFileBytes(owner, id)]),
  )
  const { file_name, mime_type } = file
  const upload = { file_name, mime_type, folder_id: folderId, contact_id: null, if_exists: 'keep_both' as const }
  return uploadBytes(context, caller, upload, bytes, { label: 'Saved 1 file', isAiGenerated: true })
}

/** Returns a file that was saved from an answer. Throws `not_found`. */
export const readSavedFile = ({ database }: AppContext, caller: Caller, id: string): Promise<File> =>
  database.read(caller, () => readFile(caller.owner, id))
