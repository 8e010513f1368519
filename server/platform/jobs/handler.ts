import * as z from 'zod/mini'
import type { Caller } from '../database/transaction.ts'
import type { JobType } from './enqueue.ts'

/** `caller` acts in the owner's workspace as `job:<type>`. */
export type Job<Payload = unknown> = { id: string; owner: string; caller: Caller; payload: Payload }

/**
 * Does one job by calling a function of its feature in the owner's name. A job starts again after a crash, so doing it twice must be
 * the same as doing it once. The handler must end soon after the signal is aborted; throwing then counts as no failure.
 * A `JobFailure` fails the job at once, any other error lets it be tried again.
 */
type RunJob<Payload> = (job: Job<Payload>, signal: AbortSignal) => Promise<void>

/** What a worker does the jobs of one type with. `maxRunning`: see `defineJobType`. */
export type JobHandler = { type: string; maxRunning?: number; run: RunJob<unknown> }

/** The handler of a job type. A payload that does not fit the type's schema counts as a failed try. */
export function handleJobs<Payload extends Record<string, unknown>>(type: JobType<Payload>, run: RunJob<Payload>): JobHandler {
  return {
    type: type.name,
    ...(type.maxRunning !== undefined && { maxRunning: type.maxRunning }),
    run: async (job, signal) => run({ ...job, payload: z.parse(type.payload, job.payload) }, signal),
  }
}

/** Thrown by a handler when another try cannot succeed: the job fails at once, with a named reason and a sentence for the user. */
export class JobFailure extends Error {
  override name = 'JobFailure'
  readonly reason: string

  constructor(reason: string, sentence: string, cause?: unknown) {
    super(sentence, { cause })
    this.reason = reason
  }
}
