import type { Database } from '#server/platform/database/database.ts'

/** Many visitors who open a page at the same time share one read of it, which is at most this old. */
const maxAgeMs = 1000
const maxReads = 500

type SharedRead = { startedAt: number; result: Promise<unknown> }
const readsOfDatabase = new WeakMap<Database, Map<string, SharedRead>>()

/**
 * Returns the result of a read with the same key that was started in the last second in this process, or else starts one. Only for pages:
 * whether a time is free is always decided with new values when it is booked.
 */
export async function shareRead<T>(database: Database, key: string, now: Date, read: () => Promise<T>): Promise<T>
export async function shareRead(database: Database, key: string, now: Date, read: () => Promise<unknown>): Promise<unknown> {
  const reads = readsOfDatabase.get(database) ?? new Map<string, SharedRead>()
  readsOfDatabase.set(database, reads)
  const known = reads.get(key)
  const ageMs = now.getTime() - (known?.startedAt ?? -Infinity)
  if (known && ageMs >= 0 && ageMs < maxAgeMs) return known.result
  if (reads.size >= maxReads) reads.clear()
  const result = read()
  reads.set(key, { startedAt: now.getTime(), result })
  try {
    return await result
  } catch (error) {
    reads.delete(key)
    throw error
  }
}
