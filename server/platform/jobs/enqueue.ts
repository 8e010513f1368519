import type * as z from 'zod/mini'
import { sql } from '../database/database.ts'

type Options = {
  /** Gives the type slots of its own: so many of its jobs run at a time in one process, and they take no slot from other types. For slow jobs. */
  maxRunning?: number
  /** Jobs stay when their owner's account is deleted: for jobs that delete what the account has left outside the database. */
  outlivesAccount?: boolean
}

/** A type of job: its name in the queue and the schema of what its jobs carry. */
export type JobType<Payload extends Record<string, unknown>> = Options & { name: string; payload: z.ZodMiniType<Payload> }

/** Defined once by the feature that does the jobs. Stored jobs keep the name, so a renamed type needs a migration. */
export const defineJobType = <Payload extends Record<string, unknown>>(
  name: string,
  payload: z.ZodMiniType<Payload>,
  options: Options = {},
): JobType<Payload> => ({ name, payload, ...options })

/**
 * Adds a job in the transaction around this call, for its owner. It runs soon after the commit, and not at all after a rollback.
 * `key`: jobs of one type and owner with the same key are one job with the latest payload; added again while it runs, it runs once more.
 * `runAt`: the job does not run before this instant. The payload is deleted with the job, so it may hold a short-lived secret.
 */
export async function enqueue<Payload extends Record<string, unknown>>(
  type: JobType<Payload>,
  payload: Payload,
  { key, runAt }: { key?: string; runAt?: Date } = {},
): Promise<void> {
  const values = [type.name, JSON.stringify(payload), key, runAt?.toISOString(), type.outlivesAccount ?? false]
  await sql('select jobs.enqueue($1, $2, $3, $4, $5)', values)
}
