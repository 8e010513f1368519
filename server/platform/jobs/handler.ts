import * as z from 'zod/mini'
import type { Caller } from '../database/transaction.ts'
import type { JobType } from './enqueue.ts'
import { ErrorWithReason } from '../error-with-reason.ts'

/** A job as its handler receives it. `caller` reads and writes the rows of the owner as the actor `job:<type>`. */
export type Job<Payload = unknown> = { id: string; owner: string; caller: Caller; payload: Payload }

/**
 * Runs one job. A job starts again after a crash, so the function must be idempotent. It must end soon after the signal aborts, and an
 * error that it throws after the abort does not count as a failure. A `JobFailure` fails the job immediately; after any other error the job
 * is retried for the time of its type.
 */
type RunJob<Payload> = (job: Job<Payload>, signal: AbortSignal) => Promise<void>

/** The function that runs the jobs of one type. `maxRunning` and `retryForMinutes`: see `defineJobType`. */
export type JobHandler = { type: string; maxRunning?: number; retryForMinutes?: number; run: RunJob<unknown> }

/** Creates the handler of a job type. A payload that does not match the schema of the type counts as a failed attempt. */
export function createJobHandler<Payload extends Record<string, unknown>>(type: JobType<Payload>, run: RunJob<Payload>): JobHandler {
  return {
    type: type.name,
    ...(type.maxRunning !== undefined && { maxRunning: type.maxRunning }),
    ...(type.retryForMinutes !== undefined && { retryForMinutes: type.retryForMinutes }),
    run: async (job, signal) => run({ ...job, payload: z.parse(type.payload, job.payload) }, signal),
  }
}

/**
 * Thrown by a handler when another attempt cannot succeed. `reason` is a code, such as `refused`; `message` is a sentence for the user.
 */
export class JobFailure extends ErrorWithReason<string> {
  override name = 'JobFailure'
}
