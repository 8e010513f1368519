import * as z from 'zod/mini'
import type { AppContext } from '#server/platform/feature/context.ts'
import { defineJobType } from '#server/platform/jobs/enqueue.ts'
import { createJobHandler, type JobHandler } from '#server/platform/jobs/handler.ts'
import { StorageError } from '#server/platform/storage/storage.ts'
import { extract } from './extract.ts'
import { readSource, storeExtraction, type Extraction } from './text.store.ts'

/** Reads the text of a stored object, and makes a small picture of an image. */
export const readTextJob = defineJobType('read text of file', z.object({ object: z.uuid() }), {
  maxRunning: 1, // because the program that reads a file may need half a gigabyte
})

/** Returns the handler of the job. A job that runs twice, as after a crash, stores the same result again. */
export const createTextJobHandler = ({ database, storage }: AppContext): JobHandler =>
  createJobHandler(readTextJob, async ({ caller, owner, payload: { object } }, signal) => {
    const source = await database.read(caller, () => readSource(owner, object))
    if (!source) return
    const extraction = await extract(storage, source, signal).catch(treatMissingAsDamaged)
    await database.transaction(caller, 'Read the text of a file', () => storeExtraction(owner, object, extraction))
  })

/**
 * Returns the result for a damaged file if its bytes do not exist, as after a restore of the database without the bytes of the S3 store: a
 * retry could not find them. Throws all other errors again, so that the job is retried.
 */
function treatMissingAsDamaged(error: unknown): Extraction {
  if (error instanceof StorageError && error.reason === 'missing') return { text: { reason: 'damaged' } }
  throw error
}
