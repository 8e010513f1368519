import * as z from 'zod/mini'
import type { Database } from '#server/platform/database/database.ts'
import { createIdentity } from '#server/platform/identity.ts'
import { defineJobType } from '#server/platform/jobs/enqueue.ts'
import { createJobHandler, type JobHandler } from '#server/platform/jobs/handler.ts'
import { eraseHistory } from '#server/platform/journal/erase-history.ts'

/**
 * The job that erases an owner's history for good: all changes before the change with the id `until`. `actor` is the actor who requested
 * it.
 */
export const eraseHistoryJob = defineJobType('erase history', z.object({ until: z.guid(), actor: z.string() }), { maxRunning: 1 })

/** Returns the handler of the jobs. After a crash a job starts again, and finds less to erase. */
export const createEraseHistoryJobHandler = (database: Database): JobHandler =>
  createJobHandler(eraseHistoryJob, ({ owner, payload: { until, actor } }, signal) =>
    eraseHistory(database, createIdentity(owner, actor), until, signal),
  )
