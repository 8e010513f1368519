import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type pg from 'pg'
import { Refusal } from '#server/platform/refusal.ts'

const windowSeconds = 15 * 60
/** The maximum number of keys in memory, about 2 MB. When it is reached, all keys are removed; an attempt then reads its key from the database. */
const maxExhaustedKeys = 10_000

/** Counts an attempt under a key. Throws `too_many_requests` when the key has more than `limit` attempts within 15 minutes. */
export type CountAttempt = (limit: number, ...key: string[]) => Promise<void>

/**
 * Creates the function that counts attempts. Counters are stored in the database, so that all processes count together. Keys (network
 * addresses, emails) are stored as hashes only. A key without attempts left is refused from memory, so that a flood of requests does not
 * reach the database.
 */
export function createLimits(pool: pg.Pool, now: () => Date): CountAttempt {
  const exhaustedUntil = new Map<string, Date>()
  return async (limit, ...key) => {
    const hash = createHash('sha256').update(key.join('\n')).digest()
    const name = hash.toString('base64')
    const requestTime = now()
    refuseUntil(exhaustedUntil.get(name), requestTime)
    const { rows } = await pool.query<{ count: number; resets_at: Date }>({
      name: 'count-attempt',
      text: 'select count, resets_at from app.count_attempt($1, $2, $3)',
      values: [hash, windowSeconds, requestTime],
    })
    const [row] = rows
    if (!row || row.count <= limit) return
    if (exhaustedUntil.size >= maxExhaustedKeys) exhaustedUntil.clear()
    exhaustedUntil.set(name, row.resets_at)
    refuseUntil(row.resets_at, requestTime)
  }
}

/** Throws `too_many_requests` if `resetsAt` is later than the time of the request. */
function refuseUntil(resetsAt: Date | undefined, requestTime: Date): void {
  const waitMs = (resetsAt?.getTime() ?? 0) - requestTime.getTime()
  if (waitMs > 0) throw new Refusal('too_many_requests', { retry_after_seconds: Math.ceil(waitMs / 1000) })
}

/**
 * Returns the part of a network address that is counted: a whole IPv4 address, or the first 64 bits of IPv6, which identify a subscriber.
 */
export function networkOf(address: string): string {
  const mappedIPv4 = /^::ffff:([\d.]+)$/i.exec(address)?.[1] // an IPv4 address that is written as IPv6
  if (mappedIPv4 !== undefined) return mappedIPv4
  if (!isIPv6(address)) return address
  // an IPv6 address has 8 groups; `::` replaces groups of zeros
  const [front = [], back = []] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => '0')
  const groups = [...front, ...zeros, ...back]
  return groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')
}

/** Deletes counters whose 15 minutes are over. `pool` connects as the table owner. */
export async function deletePastAttempts(pool: pg.Pool, now: Date): Promise<void> {
  await pool.query('delete from attempts where resets_at < $1', [now])
}
