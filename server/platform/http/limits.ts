import { createHash } from 'node:crypto'
import { isIPv4, isIPv6, SocketAddress } from 'node:net'
import type pg from 'pg'
import { createLimiter } from '#server/platform/database/limiter.ts'
import { createWaitingCalls } from '#server/platform/database/waiting-calls.ts'
import { Refusal } from '#server/platform/refusal.ts'

const defaultWindowSeconds = 15 * 60
/**
 * The maximum number of keys in memory that have no attempts left, about 2 MB. When it is reached, all keys are removed, and the next
 * attempt is counted in the database.
 */
const maxExhaustedKeys = 10_000

/** Counts an attempt under a key. Throws `too_many_requests` when the key has more than `limit` attempts within 15 minutes. */
export type CountAttempt = (limit: number, ...key: string[]) => Promise<void>

/** A counter of attempts: its key, and the time in seconds after which it starts again from 0. The default is 15 minutes. */
export type Counter = { key: string[]; windowSeconds?: number }

/** A counter with its maximum number of attempts. */
export type LimitedCounter = Counter & { limit: number }

/**
 * Counters of attempts. They are stored in the database, so that all processes count together. Keys (network addresses, emails) are stored
 * as hashes only. A crash of the database sets the counters to 0.
 */
export type Attempts = {
  /**
   * Counts an attempt, which cannot be given back, under each of the counters in their order. Throws `too_many_requests` at the first
   * counter that is above its limit; the attempt is then not counted under the counters after it. This process then remembers the key and
   * refuses further attempts without asking the database, until the counter begins again.
   */
  count: (...counters: LimitedCounter[]) => Promise<void>
  /**
   * Throws `too_many_requests` if this process remembers that the counter is above its limit. Counts nothing, and does not ask the
   * database.
   */
  refuseExhausted: (counter: Counter) => void
  /**
   * Counts an attempt, which can be given back with `giveBack`. Throws `too_many_requests` when the counter is above `limit`; a refused
   * attempt does not count. Always asks the database, because another process may have given attempts back.
   */
  reserve: (counter: Counter, limit: number) => Promise<void>
  /** Counts an attempt and returns the number of attempts including this one. */
  add: (counter: Counter) => Promise<number>
  /** Counts an attempt, restarts the time of the counter, and returns the number of attempts including this one. */
  renew: (counter: Counter) => Promise<number>
  /** Takes back one attempt of each counter, which `reserve` or `add` has counted. */
  giveBack: (...counters: Counter[]) => Promise<void>
  /** Returns the number of attempts and the time of the first one, and sets the counter to 0. Undefined without attempts. */
  take: (counter: Counter) => Promise<{ count: number; since: Date } | undefined>
}

/**
 * At most four queries run at once and 1,000 wait (`waitingCalls.maxCalls`). `maxWaiting`, the limit of one owner, adds no further limit,
 * because the limiter gets all queries as those of one owner. `giveBack` is not limited.
 */
const queryLimits = { maxRunning: 4, maxWaiting: Infinity, waitingCalls: { maxCalls: 1000 } }

/**
 * Creates the counters. `pool` connects as the application's role. All functions that ask the database, except `giveBack`, throw
 * `overloaded` if too many queries wait.
 */
export function createAttempts(pool: pg.Pool, now: () => Date): Attempts {
  /** The keys without attempts left, with the time at which the counter begins again. */
  const exhaustedUntil = new Map<string, Date>()
  const limiter = createLimiter({ ...queryLimits, waitingCalls: createWaitingCalls(queryLimits.waitingCalls) })
  const query = <R extends pg.QueryResultRow>(config: pg.QueryConfig): Promise<R[]> =>
    limiter.run('attempts', {}, async () => (await pool.query<R>(config)).rows)

  async function add({ hash, windowSeconds }: HashedCounter, at: Date): Promise<Row> {
    const rows = await query<Row>({
      name: 'count-attempt',
      text: 'select count, resets_at from app.count_attempt($1, $2, $3)',
      values: [hash, windowSeconds, at],
    })
    return rows[0] ?? { count: 0, resets_at: at }
  }

  /** Counts an attempt under each of the counters, up to the first one that is above its limit. Returns that counter. */
  async function addAll<C extends HashedCounter & { limit: number }>(counters: readonly C[], at: Date) {
    const [row] = await query<{ place: number; resets_at: Date }>({
      name: 'count-attempts',
      text: 'select place, resets_at from app.count_attempts($1, $2, $3, $4)',
      values: [
        counters.map(({ hash }) => hash),
        counters.map(({ windowSeconds }) => windowSeconds),
        counters.map(({ limit }) => limit),
        at,
      ],
    })
    const counter = row && counters[row.place - 1]
    return counter && { counter, resetsAt: row.resets_at }
  }

  const giveBack = async (hash: Buffer): Promise<void> => void (await pool.query('select app.give_back_attempt($1)', [hash]))

  return {
    refuseExhausted: (counter) => refuseUntil(exhaustedUntil.get(nameOf(hashKey(counter))), now()),
    count: async (...counters) => {
      const requestTime = now()
      const hashedCounters = counters.map((counter) => ({ ...hashKey(counter), limit: counter.limit }))
      const exhaustedIndex = hashedCounters.findIndex((counter) => (exhaustedUntil.get(nameOf(counter)) ?? requestTime) > requestTime)
      const countersToAdd = exhaustedIndex === -1 ? hashedCounters : hashedCounters.slice(0, exhaustedIndex)
      const exceededLimit = countersToAdd.length > 0 ? await addAll(countersToAdd, requestTime) : undefined
      if (exceededLimit) {
        if (exhaustedUntil.size >= maxExhaustedKeys) exhaustedUntil.clear()
        exhaustedUntil.set(nameOf(exceededLimit.counter), exceededLimit.resetsAt)
      }
      const exhaustedCounter = hashedCounters[exhaustedIndex]
      refuseUntil(exceededLimit?.resetsAt ?? (exhaustedCounter && exhaustedUntil.get(nameOf(exhaustedCounter))), requestTime)
    },
    reserve: async (counter, limit) => {
      const requestTime = now()
      const hashed = hashKey(counter)
      const row = await add(hashed, requestTime)
      if (row.count <= limit) return
      await giveBack(hashed.hash)
      refuseUntil(row.resets_at, requestTime)
    },
    add: async (counter) => (await add(hashKey(counter), now())).count,
    renew: async (counter) => {
      const { hash, windowSeconds } = hashKey(counter)
      const values = [hash, windowSeconds, now()]
      const rows = await query<{ count: number }>({ text: 'select app.renew_attempts($1, $2, $3) as count', values })
      return rows[0]?.count ?? 0
    },
    giveBack: async (...counters) => void (await Promise.all(counters.map((counter) => giveBack(hashKey(counter).hash)))),
    take: async (counter) => {
      const { hash, windowSeconds } = hashKey(counter)
      const [row] = await query<Row>({ text: 'select count, resets_at from app.take_attempts($1, $2)', values: [hash, now()] })
      return row && { count: row.count, since: new Date(row.resets_at.getTime() - windowSeconds * 1000) }
    },
  }
}

/**
 * Returns the result of `verify`, which checks a password. The caller has counted an attempt under each of `counters`; it is given back
 * unless the password is wrong, so also if `verify` throws.
 */
export async function verifyCounted(attempts: Attempts, counters: Counter[], verify: () => Promise<boolean>): Promise<boolean> {
  let isFailure = false
  try {
    isFailure = !(await verify())
    return !isFailure
  } finally {
    if (!isFailure) await attempts.giveBack(...counters)
  }
}

/** A counter in the database. `resets_at`: the time at which it begins again. */
type Row = { count: number; resets_at: Date }

type HashedCounter = { hash: Buffer; windowSeconds: number }

const hashKey = ({ key, windowSeconds = defaultWindowSeconds }: Counter): HashedCounter => ({
  hash: createHash('sha256').update(key.join('\n')).digest(),
  windowSeconds,
})

/** The name of a counter in the memory of this process. */
const nameOf = ({ hash }: HashedCounter): string => hash.toString('base64')

/** Throws `too_many_requests` if `resetsAt` is later than the time of the request. */
function refuseUntil(resetsAt: Date | undefined, requestTime: Date): void {
  const waitMs = (resetsAt?.getTime() ?? 0) - requestTime.getTime()
  if (waitMs > 0) throw new Refusal('too_many_requests', { retry_after_seconds: Math.ceil(waitMs / 1000) })
}

/** A network whose attempts are counted together. Its limits are multiplied by `limitFactor`. */
type Network = { name: string; limitFactor: number }

/**
 * The limit factor for all IPv6 addresses with the same first 48 bits. They may belong to one subscriber, who then has 65,536 networks
 * of 64 bits, or to several subscribers of one provider.
 */
const largeNetworkLimitFactor = 4

/**
 * Returns the networks under which an address is counted: for IPv4 the whole address; for IPv6 its first 64 bits, which belong to one
 * subscriber, and also its first 48 bits, because one subscriber can have many networks of 64 bits.
 */
export function listCountedNetworks(address: string): Network[] {
  const groups = groupsOf(address)
  if (!groups) return [{ name: networkOf(address), limitFactor: 1 }]
  return [
    { name: networkOf(address), limitFactor: 1 },
    { name: `${groups.slice(0, 3).join(':')}/48`, limitFactor: largeNetworkLimitFactor },
  ]
}

/**
 * Returns the part of a network address that is counted: a whole IPv4 address, or the first 64 bits of IPv6, which belong to one
 * subscriber. Everything that is not an address is one network, because a client may have invented it.
 */
export const networkOf = (address: string): string =>
  isIPv4(address) ? address : (groupsOf(address)?.slice(0, 4).join(':') ?? ipv4Of(address) ?? 'no address')

/** Returns the IPv4 address, which may be written as IPv6, such as `::ffff:192.0.2.1`; undefined for other addresses. */
function ipv4Of(text: string): string | undefined {
  const { address, family } = parseAddress(text) ?? {}
  return family === 'ipv4' ? address : /^::ffff:([\d.]+)$/.exec(address ?? '')?.[1]
}

/** Returns the 8 groups of an IPv6 address; undefined for IPv4. */
function groupsOf(text: string): string[] | undefined {
  const { address, family } = parseAddress(text) ?? {}
  if (address === undefined || family !== 'ipv6' || ipv4Of(text) !== undefined) return undefined
  // `::` replaces groups of zeros
  const [front = [], back = []] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => '0')
  return [...front, ...zeros, ...back]
}

/**
 * Returns the address in its shortest form. Removes the port, which some proxies add, and the zone of a local IPv6 address, such as
 * `%eth0`.
 */
function parseAddress(text: string): SocketAddress | undefined {
  const address = text.replace(/%.*$/, '')
  return SocketAddress.parse(isIPv6(address) ? `[${address}]` : address)
}

/** Deletes counters whose time is over. `pool` connects as the table owner. */
export async function deletePastAttempts(pool: pg.Pool, now: Date): Promise<void> {
  await pool.query('delete from attempts where resets_at < $1', [now])
}
