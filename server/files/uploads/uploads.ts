// Uploads: the parts of a file are stored in any order, and finishing creates the file.
import type { File } from '#contract/files.ts'
import { partBytes } from '#contract/uploads.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import type { Upload as Body } from '#server/platform/http/upload.ts'
import { readRecord } from '#server/platform/records/rows.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { StorageError } from '#server/platform/storage/storage.ts'
import { createFile, uploadedByUser } from './finish.ts'
import { files } from '../kind.ts'
import { withStorageErrors } from '../storage/storage-errors.ts'
import * as store from './uploads.store.ts'
import type { UploadRow } from './uploads.store.ts'

/** The maximum number of parts of one owner that are stored at the same time in all processes; more wait. */
const maxRunningParts = 8

/** Returns the size of a part in bytes; undefined if the upload has no part with this number. */
function computePartSize({ file_size, part_count }: Pick<UploadRow, 'file_size' | 'part_count'>, number: number): number | undefined {
  if (number >= part_count) return undefined
  return Math.min(partBytes, file_size - number * partBytes)
}

type Part = { id: string; number: number; body: Pick<Body, 'content' | 'size'>; signal?: AbortSignal }

/**
 * Stores a part. No database connection is held while the bytes arrive. Throws `invalid` for a wrong number or size, `not_found`,
 * `storage_full`.
 */
export async function writePart(
  { database, storage, slots }: AppContext,
  caller: Caller,
  { id, number, body, signal }: Part,
): Promise<void> {
  const { owner } = caller
  const upload = await database.read(caller, () => store.readUpload(owner, id))
  const { storage_path: key, storage_upload_id: storageUploadId } = upload
  if (upload.file_id !== null || key === null) throw new Refusal('invalid', { fields: { id: 'This upload is finished' } })
  const size = computePartSize(upload, number)
  if (size === undefined) throw new Refusal('invalid', { fields: { number: `This upload has ${upload.part_count} parts, from 0` } })
  const wrongSize = new Refusal('invalid', { fields: { body: `This part must have ${size} bytes` } })
  if (body.size !== undefined && body.size !== size) throw wrongSize
  const storedUpload = { key, id: storageUploadId }
  // after a failure the connection stays open, so that the client gets the response
  const content = body.content.iterator({ destroyOnReturn: false })
  const etag = await slots.run(`upload parts of ${owner}`, maxRunningParts, signal, () =>
    withStorageErrors(() => storage.writePart(storedUpload, number, content, size), wrongSize),
  )
  const isOpen = await database.transaction(caller, 'Stored a part', () => store.insertPart(owner, id, { number, etag, size }))
  if (isOpen) return
  // the upload was deleted while the part was written; the job that deletes its bytes may have run before that
  if (await database.read(caller, () => store.isAbandoned(owner, id, key))) await storage.cancelUpload(storedUpload)
  throw new Refusal('not_found')
}

/** Creates the file of an upload whose parts are all stored. May be repeated, also by two processes at once. */
export async function finishUpload(context: AppContext, caller: Caller, id: string, source = uploadedByUser): Promise<File> {
  const { database } = context
  const { owner } = caller
  const { file_id: fileId, storage_path: key, storage_upload_id: storageUploadId } = await completeUpload(context, caller, id)
  if (fileId !== null) return database.read(caller, () => readRecord<File>(files, owner, fileId))
  return createFile(context, caller, id, source).catch(async (error: unknown) => {
    if (key !== null && (await database.read(caller, () => store.isAbandoned(owner, id, key))))
      await deleteBytes(context, { key, id: storageUploadId })
    throw error
  })
}

/**
 * Makes the bytes of an upload readable. Throws `invalid` if parts are missing. May be repeated. Returns the upload, which may be finished
 * already.
 */
export async function completeUpload({ database, storage }: AppContext, caller: Caller, id: string): Promise<UploadRow> {
  const { owner } = caller
  const [upload, etags] = await database.read(caller, () => Promise.all([store.readUpload(owner, id), store.readEtags(owner, id)]))
  const { storage_path: key, storage_upload_id: storageUploadId } = upload
  if (upload.file_id !== null) return upload
  if (key === null) throw new Error('An unfinished upload must have a storage path')
  refuseMissingParts(upload)
  try {
    await withStorageErrors(async () => {
      const storedUpload = { key, id: storageUploadId }
      const emptyPartEtags = upload.file_size === 0 ? [await writeEmptyPart(storage, storedUpload)] : []
      await storage.finishUpload(storedUpload, [...etags, ...emptyPartEtags])
    })
    return upload
  } catch (error) {
    const current = await database.read(caller, () => store.readUpload(owner, id)) // throws if it was cancelled meanwhile
    if (current.file_id !== null) return current
    const hasWrongParts = error instanceof Refusal && error.cause instanceof StorageError && error.cause.reason === 'wrong_parts'
    if (!hasWrongParts) throw error
    await database.transaction(caller, 'Removed parts', () => store.deleteParts(owner, id))
    throw new Refusal('invalid', { fields: { parts: 'The parts are not stored correctly. Send them again.' } }, error)
  }
}

/**
 * Deletes the bytes of an upload that was cancelled during `finishUpload`. The job that the cancellation added may have run before the
 * storage had completed the upload.
 */
async function deleteBytes({ storage }: AppContext, upload: { key: string; id: string }): Promise<void> {
  await storage.cancelUpload(upload)
  await storage.delete(upload.key)
}

function refuseMissingParts({ part_count: count, parts }: UploadRow): void {
  if (parts.length === count) return
  const stored = new Set(parts)
  const missing = Array.from({ length: count }, (_, number) => number).filter((number) => !stored.has(number))
  const listed = missing.slice(0, 10).join(', ')
  throw new Refusal('invalid', { fields: { parts: `${missing.length} parts are missing: ${listed}${missing.length > 10 ? ' ...' : ''}` } })
}

/**
 * Writes the part of an empty file, because a client sends no part of it, but each object in the storage has at least one part. If the
 * object exists already, after a repeated call, the storage reports the upload as missing, and no part is needed.
 */
async function writeEmptyPart(storage: AppContext['storage'], upload: { key: string; id: string }): Promise<string> {
  try {
    return await storage.writePart(upload, 0, (async function* () {})(), 0)
  } catch (error) {
    if (error instanceof StorageError && error.reason === 'missing') return ''
    throw error
  }
}

/** Deletes an unfinished upload; a job deletes its bytes. Throws `not_found`. */
export const cancelUpload = ({ database }: AppContext, caller: Caller, id: string): Promise<void> =>
  database.transaction(caller, 'Cancelled an upload', () => store.deleteUpload(caller.owner, id))
