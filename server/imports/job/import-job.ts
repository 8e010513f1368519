import * as z from 'zod/mini'
import { formatActor } from '#contract/actors.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { createIdentity } from '#server/platform/identity.ts'
import { defineJobType } from '#server/platform/jobs/enqueue.ts'

/**
 * The job that imports the rows of a file. In each process at most two run at the same time, and other jobs do not wait for them. If
 * more owners import, they take turns. If it fails, it is retried until an hour has passed since it last stored a batch; then the user can
 * import the file again.
 */
export const importJob = defineJobType('import', z.object({ import: z.uuid() }), { maxRunning: 2, retryForMinutes: 60 })

/** Returns the caller that writes the records of an import. The history shows it as the actor. */
export const importCaller = (owner: string, id: string): Caller => createIdentity(owner, formatActor('import', id))
