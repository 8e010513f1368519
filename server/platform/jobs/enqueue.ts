import { sql } from '../database/database.ts'

/**
 * Asks for work in the transaction around this call, in its owner's name: it is done if the transaction holds, and soon after.
 * `key`: asks of one task with the same key are one job with the latest payload; asked for while it runs, it runs once more.
 * `runAt`: not before this instant. The payload lives as long as the job waits or runs, so it may hold a secret that is short-lived.
 */
export async function enqueue(
  task: string,
  payload: Record<string, unknown>,
  { key, runAt }: { key?: string; runAt?: Date } = {},
): Promise<void> {
  await sql('select jobs.enqueue($1, $2, $3, $4)', [task, JSON.stringify(payload), key, runAt?.toISOString()])
}
