import * as z from 'zod/mini'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { Database } from '#server/platform/database/database.ts'
import { createIdentity } from '#server/platform/identity.ts'
import { defineJobType, enqueue } from '#server/platform/jobs/enqueue.ts'
import { createJobHandler, type JobHandler } from '#server/platform/jobs/handler.ts'
import { undoNextOfGroup } from './groups.ts'
import type { UndoResult } from './undo.ts'

/**
 * The job that undoes a change group, one change set per transaction. `group` is the id of the new change group that the undo or restore
 * writes. In each process at most two such jobs run at the same time; other jobs do not wait for them. A failing job is retried for a short
 * time only, because the user who waits for it can continue the undo.
 */
export const undoGroupJob = defineJobType('undo group', z.object({ group: z.uuid(), actor: z.string() }), {
  maxRunning: 2,
  retryForMinutes: 3,
})

/** Adds the job in the transaction of an undo or restore, if a change group is undone. */
export async function continueInJob({ changeId, isGroup }: UndoResult, { actor }: Caller): Promise<void> {
  if (isGroup) await enqueue(undoGroupJob, { group: changeId, actor }, { key: changeId })
}

/** Returns the handler of the jobs. After a crash a job continues after the last change set that it undid. */
export const createUndoGroupJobHandler = (database: Database): JobHandler =>
  createJobHandler(undoGroupJob, async ({ owner, payload: { group, actor } }, signal) => {
    let isFinished = false
    while (!isFinished) {
      signal.throwIfAborted()
      isFinished = (await undoNextOfGroup(database, createIdentity(owner, actor), group)).isFinished
    }
  })
