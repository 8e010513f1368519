import { createHash } from 'node:crypto'
import type pg from 'pg'
import { Refusal } from '#server/platform/refusal.ts'

const windowSeconds = 15 * 60

/** Counts one more try of a key; throws `too_many_requests` when the window's limit is passed. */
export type CountTry = (limit: number, ...key: string[]) => Promise<void>

/** Counters live in the database, so that all processes count together. Keys (addresses, emails) are kept as hashes only. */
export function createLimits(pool: pg.Pool, now: () => Date): CountTry {
  return async (limit, ...key) => {
    const hash = createHash('sha256').update(key.join('\n')).digest()
    const at = now()
    const { rows } = await pool.query<{ count: number; resets_at: Date }>({
      name: 'count-attempt',
      text: 'select count, resets_at from app.count_attempt($1, $2, $3)',
      values: [hash, windowSeconds, at],
    })
    const [row] = rows
    if (!row || row.count <= limit) return
    throw new Refusal('too_many_requests', { retry_after_seconds: Math.max(1, Math.ceil((row.resets_at.getTime() - at.getTime()) / 1000)) })
  }
}
