import { readFileType } from '#contract/fileNames.ts'
import type { File } from '#contract/files.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { enqueue } from '#server/platform/jobs/enqueue.ts'
import { insertRow, readRecord, withFieldErrors } from '#server/platform/records/rows.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { deleteBytesJob, hashJob } from '../storage/bytes.job.ts'
import { findByName, findFreeNames } from '../files.store.ts'
import { files } from '../kind.ts'
import { readTextJob } from '../text/text.job.ts'
import { lockUpload, setFinished, type UploadRow } from './uploads.store.ts'

/** What created the file: an upload of the user, or the AI. */
export type FileSource = { label: string; isAiGenerated: boolean }
export const uploadedByUser: FileSource = { label: 'Uploaded 1 file', isAiGenerated: false }

/**
 * Creates the file of an upload whose bytes are stored, as one change. Returns the file of an upload that was finished before. Throws
 * `not_found` if the upload, the folder or the contact was deleted.
 */
export const createFile = ({ database }: AppContext, caller: Caller, uploadId: string, source: FileSource): Promise<File> =>
  withFieldErrors(files, () =>
    database.transaction(caller, source.label, async () => {
      const { owner } = caller
      const upload = await lockUpload(owner, uploadId)
      if (!upload) throw new Refusal('not_found')
      if (upload.file_id !== null) return readRecord<File>(files, owner, upload.file_id)
      const [existingId] = await findByName(owner, upload, upload.file_name)
      if (existingId !== undefined && upload.if_exists === 'skip') return skipUpload(owner, upload, existingId)
      if (upload.if_exists === 'replace') await deleteByName(owner, upload)
      return insertFile(owner, upload, source)
    }),
  )

async function insertFile(owner: string, upload: UploadRow, { isAiGenerated }: FileSource): Promise<File> {
  const { storage_path: path, folder_id, contact_id, file_size, mime_type } = upload
  const freeNames = upload.if_exists === 'keep_both' ? await findFreeNames(owner, upload, [upload.file_name]) : undefined
  const name = freeNames?.get(upload.file_name) ?? upload.file_name
  const [objectId, fileId] = [newId(), newId()]
  const [, , file] = await Promise.all([
    sql('insert into stored_objects (user_id, id, storage_path, file_size) values ($1, $2, $3, $4)', [owner, objectId, path, file_size]),
    sql('insert into object_texts (user_id, id) values ($1, $2)', [owner, objectId]),
    insertRow<File>(files, owner, fileId, {
      folder_id,
      contact_id,
      object_id: objectId,
      file_name: name,
      file_type: readFileType(name),
      file_size,
      mime_type,
      storage_path: path,
      is_ai_generated: isAiGenerated,
    }),
    setFinished(owner, upload.id, fileId),
    enqueue(hashJob, { object: objectId }),
    enqueue(readTextJob, { object: objectId }),
  ])
  if (!file) throw new Error('The file was not written')
  return file
}

/** Ends an upload with the existing file of the same name. A job deletes the bytes of the upload. */
async function skipUpload(owner: string, upload: UploadRow, existingId: string): Promise<File> {
  const { storage_path, storage_upload_id } = upload
  const [file] = await Promise.all([
    readRecord<File>(files, owner, existingId),
    setFinished(owner, upload.id, existingId),
    storage_path !== null && enqueue(deleteBytesJob, { objects: [{ storage_path, storage_upload_id }] }),
  ])
  return file
}

/** Moves the files with the name of the upload to the trash. */
async function deleteByName(owner: string, upload: UploadRow): Promise<void> {
  const ids = await findByName(owner, upload, upload.file_name)
  if (ids.length > 0) await sql('delete from files where user_id = $1 and id = any($2)', [owner, ids])
}
