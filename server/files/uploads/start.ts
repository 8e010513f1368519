import { randomUUID } from 'node:crypto'
import type { NewUpload } from '#contract/uploads.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { findByName, requirePlace } from '../files.store.ts'
import { withStorageErrors } from '../storage/storage-errors.ts'
import * as store from './uploads.store.ts'
import type { UploadRow } from './uploads.store.ts'

type FoundUpload = Awaited<ReturnType<typeof store.findUpload>>

/** `becomes_file`: false if the bytes do not become a file, so that the upload is not listed with the uploads of files. */
type UploadToStart = NewUpload & { becomes_file?: boolean }

/** An unfinished upload is deleted after this time. */
const uploadLifetimeMs = 7 * 24 * 60 * 60 * 1000
/** The row of an upload that the storage has not started is deleted after this time. */
const maxStartMs = 10 * 60 * 1000

/**
 * Starts an upload. If `if_exists` is `skip` and the folder has a file of this name, returns a finished upload of this file. If the client
 * chooses the id, a repeated call returns the upload of the first call. Throws `not_found` for the folder or the contact, `invalid` for the
 * id of another upload, `quota_exceeded`, `too_many`, `storage_full`.
 */
export async function startUpload(context: AppContext, caller: Caller, upload: UploadToStart): Promise<UploadRow> {
  const { database, disk } = context
  const { owner } = caller
  const { id = newId() } = upload
  if (disk.state() !== 'enough') throw new Refusal('storage_full')
  const existingUpload = upload.id !== undefined && (await database.read(caller, () => store.findUpload(owner, id)))
  const row = existingUpload || (await addUpload(context, caller, { ...upload, id }))
  if (!row) throw new Refusal('not_found') // it was cancelled meanwhile
  refuseOtherUpload(row, upload)
  return row.isStarted ? row : startInStorage(context, caller, row)
}

/** Adds the row of an upload, unless a simultaneous request has added it. Returns the row; undefined if it was deleted meanwhile. */
async function addUpload(
  { database, now, settings }: AppContext,
  caller: Caller,
  upload: UploadToStart & { id: string },
): Promise<FoundUpload> {
  const { owner } = caller
  const [existingFileId] = await database.read(caller, async () => {
    await requirePlace(owner, upload)
    return upload.if_exists === 'skip' ? findByName(owner, upload, upload.file_name) : []
  })
  const row = {
    becomes_file: true,
    ...upload,
    storage_path: existingFileId === undefined ? `${owner}/${randomUUID()}` : null,
    file_id: existingFileId ?? null,
    expires_at: new Date(now().getTime() + (existingFileId === undefined ? maxStartMs : uploadLifetimeMs)).toISOString(),
  }
  const [, addedRow] = await database.transaction(caller, 'Started an upload', () =>
    Promise.all([store.insertUpload(owner, row, settings.quotaBytes), store.findUpload(owner, upload.id)]),
  )
  return addedRow
}

/** Throws `invalid` if a repeated request names another file than the first one. */
function refuseOtherUpload(row: UploadRow, upload: NewUpload): void {
  const fields = ['file_name', 'file_size', 'mime_type', 'folder_id', 'contact_id', 'if_exists'] as const
  if (fields.some((field) => row[field] !== upload[field])) throw new Refusal('invalid', { fields: { id: 'This id is taken' } })
}

/** Starts the upload in the storage, and returns its row. Throws `not_found` if it was cancelled meanwhile. */
async function startInStorage(context: AppContext, caller: Caller, { id, storage_path: key, file_size }: UploadRow): Promise<UploadRow> {
  const { database, storage, now } = context
  if (key === null) throw new Error('An unfinished upload must have a storage path')
  try {
    const storageUploadId = await withStorageErrors(() => storage.startUpload(key, file_size))
    const expiresAt = new Date(now().getTime() + uploadLifetimeMs)
    const [, row] = await database.transaction(caller, 'Started an upload', () =>
      Promise.all([store.setStarted(caller.owner, id, storageUploadId, expiresAt), store.findUpload(caller.owner, id)]),
    )
    // the row has another storage id if a repeated request started the upload first, and there is no row if the upload was cancelled; in
    // the disk storage all ids are empty, so repeated requests share one upload
    if (row?.storage_upload_id !== storageUploadId) await storage.cancelUpload({ key, id: storageUploadId })
    if (!row) throw new Refusal('not_found')
    return row
  } catch (error) {
    await database.transaction(caller, 'Cancelled an upload', () => store.deleteNotStarted(caller.owner, id))
    throw error
  }
}
