import { maxOpenUploads, partBytes, type NewUpload, type Upload } from '#contract/uploads.ts'
import { sql } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { readStorageUse } from '../storage/storage-use.ts'

/**
 * An upload with the path of its bytes in the storage, and the id that the storage gave to the upload. `storage_path` is null when the
 * bytes belong to a file, or were not needed.
 */
export type UploadRow = Upload & { storage_path: string | null; storage_upload_id: string }

const columns = `id, created_at, expires_at, file_name, file_size, mime_type, folder_id, contact_id, if_exists, storage_path,
  storage_upload_id, file_id, ${partBytes} as part_size, ceil(file_size / ${partBytes}.0)::int as part_count,
  array(select p.number from upload_parts p where p.user_id = u.user_id and p.upload_id = u.id order by p.number) as parts`

/** Reads an upload that the storage has started. Throws `not_found`. */
export async function readUpload(owner: string, id: string): Promise<UploadRow> {
  const [upload] = await sql<UploadRow>(
    `select ${columns} from uploads u where user_id = $1 and id = $2 and (storage_upload_id is not null or file_id is not null)`,
    [owner, id],
  )
  if (!upload) throw new Refusal('not_found')
  return upload
}

/** Reads the newest unfinished uploads of files. */
export const readOpenUploads = (owner: string): Promise<UploadRow[]> =>
  sql<UploadRow>(
    `select ${columns} from uploads u
     where user_id = $1 and file_id is null and storage_upload_id is not null and becomes_file order by id desc limit 200`,
    [owner],
  )

type AddedUpload = NewUpload & {
  id: string
  storage_path: string | null
  file_id: string | null
  expires_at: string
  becomes_file: boolean
}

/** Adds an upload, unless the owner has one with this id. Throws `quota_exceeded`, and `too_many` for too many open uploads. */
export async function insertUpload(owner: string, upload: AddedUpload, quotaBytes: number): Promise<void> {
  const [row] = await sql<{ result: string }>('select app.add_upload($1, $2, $3) as result', [
    JSON.stringify(upload),
    quotaBytes,
    maxOpenUploads,
  ])
  if (row?.result === 'no space') throw await createQuotaRefusal(owner, upload, quotaBytes)
  if (row?.result === 'too many')
    throw new Refusal('too_many', { fields: { file_name: 'At most 1,000 unfinished uploads. Finish or cancel some of them' } })
}

/** Returns the refusal of an upload for which the account has no space, with the numbers. */
async function createQuotaRefusal(owner: string, { file_size }: AddedUpload, quotaBytes: number): Promise<Refusal> {
  const { used_bytes: used } = await readStorageUse(owner, { quotaBytes, recordQuotaBytes: 0 })
  const [size, free] = [file_size, Math.max(0, quotaBytes - used)].map((bytes) => bytes.toLocaleString('en'))
  return new Refusal('quota_exceeded', { fields: { file_size: `The file has ${size} bytes, and the account has ${free} bytes free` } })
}

/** Reads an upload, also one that the storage has not started yet. */
export async function findUpload(owner: string, id: string): Promise<(UploadRow & { isStarted: boolean }) | undefined> {
  const [upload] = await sql<UploadRow & { isStarted: boolean }>(
    `select ${columns}, storage_upload_id is not null or file_id is not null as "isStarted" from uploads u where user_id = $1 and id = $2`,
    [owner, id],
  )
  return upload
}

/** Stores the id that the storage gave to an upload, so that parts can be stored. Does nothing if another request has stored an id. */
export const setStarted = (owner: string, id: string, storageUploadId: string, expiresAt: Date): Promise<unknown> =>
  sql('update uploads set storage_upload_id = $3, expires_at = $4 where user_id = $1 and id = $2 and storage_upload_id is null', [
    owner,
    id,
    storageUploadId,
    expiresAt.toISOString(),
  ])

/**
 * Stores that the storage has a part. `etag` is the ETag that the storage returned for it. Returns false if the upload was deleted or
 * finished.
 */
export async function insertPart(owner: string, id: string, part: { number: number; etag: string; size: number }): Promise<boolean> {
  const rows = await sql(
    `insert into upload_parts (user_id, upload_id, number, tag, size)
     select user_id, id, $3, $4, $5 from uploads where user_id = $1 and id = $2 and file_id is null for key share
     on conflict (user_id, upload_id, number) do update set tag = excluded.tag returning id`,
    [owner, id, part.number, part.etag, part.size],
  )
  return rows.length > 0
}

/** Returns the ETags of all parts in the order of their numbers. */
export async function readEtags(owner: string, id: string): Promise<string[]> {
  const rows = await sql<{ tag: string }>('select tag from upload_parts where user_id = $1 and upload_id = $2 order by number', [owner, id])
  return rows.map(({ tag }) => tag)
}

/** Deletes the rows of all parts, so that the client sends the parts again. */
export const deleteParts = (owner: string, id: string): Promise<unknown> =>
  sql('delete from upload_parts where user_id = $1 and upload_id = $2', [owner, id])

/** Deletes an unfinished upload. A trigger adds the job that deletes its bytes. Throws `not_found`. */
export async function deleteUpload(owner: string, id: string): Promise<void> {
  const rows = await sql('delete from uploads where user_id = $1 and id = $2 and file_id is null returning id', [owner, id])
  if (rows.length === 0) throw new Refusal('not_found')
}

/** Deletes an upload that the storage did not start. */
export const deleteNotStarted = (owner: string, id: string): Promise<unknown> =>
  sql('delete from uploads where user_id = $1 and id = $2 and file_id is null and storage_upload_id is null', [owner, id])

/**
 * Locks an upload until the end of the transaction. Also makes other uploads of the owner wait before they become files, so that two of
 * them do not take the same free name. Returns undefined if the upload does not exist.
 */
export async function lockUpload(owner: string, id: string): Promise<UploadRow | undefined> {
  const [, [upload]] = await Promise.all([
    sql(`select pg_advisory_xact_lock(hashtextextended('uploads ' || $1, 0))`, [owner]),
    sql<UploadRow>(`select ${columns} from uploads u where user_id = $1 and id = $2 for update`, [owner, id]),
  ])
  return upload
}

/** Deletes an upload whose bytes belong to a stored object from now on. */
export async function deleteCompleted(owner: string, id: string): Promise<void> {
  await Promise.all([
    sql('update uploads set storage_path = null where user_id = $1 and id = $2', [owner, id]), // so that the trigger deletes no bytes
    sql('delete from uploads where user_id = $1 and id = $2', [owner, id]),
  ])
}

/** Returns true if no upload and no stored object has these bytes any more. */
export async function isAbandoned(owner: string, id: string, path: string): Promise<boolean> {
  const rows = await sql(
    `select from uploads where user_id = $1 and id = $2
     union all select from stored_objects where user_id = $1 and storage_path = $3`,
    [owner, id, path],
  )
  return rows.length === 0
}

/** Marks an upload as finished with this file. Its bytes belong to the file from now on. */
export async function setFinished(owner: string, id: string, fileId: string): Promise<void> {
  await sql('update uploads set file_id = $3, storage_path = null where user_id = $1 and id = $2', [owner, id, fileId])
}
