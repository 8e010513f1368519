import { createHash } from 'node:crypto'
import type pg from 'pg'
import * as z from 'zod/mini'
import { sql } from '#server/platform/database/database.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { defineJobType } from '#server/platform/jobs/enqueue.ts'
import { createJobHandler, type JobHandler } from '#server/platform/jobs/handler.ts'
import type { Storage } from '#server/platform/storage/storage.ts'

const dayMs = 24 * 60 * 60 * 1000

const StoredBytes = z.object({ storage_path: z.string(), storage_upload_id: z.nullable(z.string()) })

/** Deletes bytes whose rows are gone. The database adds these jobs by triggers on `stored_objects` and `uploads`. */
export const deleteBytesJob = defineJobType('delete stored bytes', z.object({ objects: z.array(StoredBytes) }), {
  maxRunning: 2,
  retryForMinutes: 30 * 24 * 60, // nothing else deletes the bytes
  outlivesAccount: true, // the bytes of a deleted account must be deleted too
})

/** Computes the SHA-256 of an object. */
export const hashJob = defineJobType('hash file', z.object({ object: z.uuid() }), { maxRunning: 2 })

/** Returns the handlers of the jobs on stored bytes. All of them may be repeated. */
export const createBytesJobHandlers = ({ database, storage }: AppContext): readonly JobHandler[] => [
  createJobHandler(deleteBytesJob, async ({ payload: { objects } }, signal) => {
    for (const { storage_path: key, storage_upload_id: id } of objects) {
      signal.throwIfAborted()
      if (id === null) await cancelUnknownUploads(storage, key)
      else await storage.cancelUpload({ key, id })
      await storage.delete(key) // the upload may be complete in the storage, although the database does not say so
    }
  }),
  createJobHandler(hashJob, async ({ caller, owner, payload: { object } }, signal) => {
    const [row] = await database.read(caller, () =>
      sql<{ storage_path: string; file_size: number }>(
        'select storage_path, file_size from stored_objects where user_id = $1 and id = $2 and sha256 is null',
        [owner, object],
      ),
    )
    if (!row) return
    const hash = createHash('sha256')
    for await (const chunk of storage.read(row.storage_path, { start: 0, end: row.file_size - 1 })) {
      signal.throwIfAborted()
      hash.update(chunk)
    }
    await database.transaction(caller, 'Hashed a file', () =>
      sql('update stored_objects set sha256 = $3 where user_id = $1 and id = $2', [owner, object, hash.digest()]),
    )
  }),
]

/** Adds jobs for objects that have no SHA-256 a day after their upload, because the storage was not available for a long time. */
export async function addMissingHashJobs(tableOwner: pg.Pool, now: Date): Promise<void> {
  await tableOwner.query(
    `insert into jobs.jobs (owner, type, payload)
     select o.user_id, $1, jsonb_build_object('object', o.id) from stored_objects o
     where o.sha256 is null and o.created_at < $2 and not exists (
       select from jobs.jobs j where j.owner = o.user_id and j.type = $1 and j.payload ->> 'object' = o.id::text and j.failed_at is null)`,
    [hashJob.name, new Date(now.getTime() - dayMs)],
  )
}

/**
 * Cancels the unfinished uploads that the storage has under this key. Their ids are not known, because the process was killed before it
 * stored them.
 */
async function cancelUnknownUploads(storage: Storage, key: string): Promise<void> {
  for await (const { key: listedKey, uploadId: id } of storage.list(key))
    if (listedKey === key && id !== undefined) await storage.cancelUpload({ key, id })
}
