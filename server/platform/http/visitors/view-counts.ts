import { networkOf } from '#server/platform/http/limits.ts'
import type { VisitorPage } from './page-token.ts'

/** Counts how often pages are opened, to make the proof of work more expensive for programs that open them very often. */
export type ViewCounts = {
  /** Counts a view of the page. Returns the factor for the work of its challenge. */
  count: (page: VisitorPage, ip: string) => number
}

const windowMs = 60_000
/** The numbers of views in a minute, of a network and of a page, above which the work is 4 times and 16 times as much. */
const thresholds = { network: [20, 60], page: [300, 1200] }
const factors = [1, 4, 16]
/** The counters need about 1 MB. When they are full, all begin again. */
const maxCounters = 10_000

/**
 * Creates counters in the memory of this process. They only estimate the load, so processes need not share them; the limits of what
 * visitors write are in the database.
 */
export function createViewCounts(now: () => Date): ViewCounts {
  const counts = new Map<string, number>()
  let windowStart = 0
  const add = (key: string): number => {
    const count = (counts.get(key) ?? 0) + 1
    if (counts.size >= maxCounters) counts.clear()
    counts.set(key, count)
    return count
  }
  return {
    count: ({ kind, id }, ip) => {
      const time = now().getTime()
      if (time - windowStart >= windowMs) {
        counts.clear()
        windowStart = time
      }
      const levels = [
        countAbove(thresholds.network, add(`network ${networkOf(ip)}`)),
        countAbove(thresholds.page, add(`page ${kind} ${id}`)),
      ]
      return factors[Math.max(...levels)] ?? 1
    },
  }
}

/** Returns how many of the thresholds the count exceeds. */
const countAbove = (thresholdsOfKey: readonly number[], count: number): number =>
  thresholdsOfKey.filter((threshold) => count > threshold).length
