import type * as z from 'zod/mini'
import { sql } from '../database/database.ts'

type Options = {
  /**
   * The maximum number of jobs of this type that run at the same time in each process. They do not use the slots that other types share;
   * this is for slow jobs, which would fill those slots.
   */
  maxRunning?: number
  /**
   * A failing job is tried again for this time, 4 hours by default. It should be longer than an outage of the service that the job needs.
   * The queue counts the attempts in this time, so the time in which the server itself is stopped does not count.
   */
  retryForMinutes?: number
  /** Keeps the jobs when their owner's account is deleted. For jobs that then delete data outside the database. */
  outlivesAccount?: boolean
}

/** A type of job: its name in the queue and the schema of its payload. */
export type JobType<Payload extends Record<string, unknown>> = Options & { name: string; payload: z.ZodMiniType<Payload> }

/**
 * Defines a job type. Call it once, in the feature that runs the jobs. The database stores the name, so renaming a type needs a migration.
 */
export const defineJobType = <Payload extends Record<string, unknown>>(
  name: string,
  payload: z.ZodMiniType<Payload>,
  options: Options = {},
): JobType<Payload> => ({ name, payload, ...options })

/**
 * Adds a job in the surrounding transaction, for the owner of the transaction. The job runs soon after the commit, and never after a
 * rollback. `key`: jobs of one type and owner with the same key are one job with the latest payload. If such a job is running when it is
 * added again, it runs once more afterwards. `runAt`: the job does not run before this time. The payload is deleted with the job, so it may
 * contain a short-lived secret.
 */
export async function enqueue<Payload extends Record<string, unknown>>(
  type: JobType<Payload>,
  payload: Payload,
  { key, runAt }: { key?: string; runAt?: Date } = {},
): Promise<void> {
  const values = [type.name, JSON.stringify(payload), key, runAt?.toISOString(), type.outlivesAccount ?? false]
  await sql('select jobs.enqueue($1, $2, $3, $4, $5)', values)
}

/**
 * Forgets the failed attempts and the crashes of a job, in the transaction of a step that the job need not repeat. Without this, a job that
 * takes hours fails for good after some restarts, although it continues each time where it was.
 */
export async function forgetFailures(type: { name: string }, key: string): Promise<void> {
  await sql('select jobs.forget_failures($1, $2)', [type.name, key])
}
