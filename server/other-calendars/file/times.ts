/** The start and the end of a busy time in milliseconds. */
export type BusyTime = readonly [startMs: number, endMs: number]

/** The maximum number of busy times. Those that begin later are left out. */
const maxTimes = 5000

/** Joins times that overlap or touch each other. Returns at most `maxTimes`, sorted by start. */
export function joinTimes(times: readonly BusyTime[]): BusyTime[] {
  const joined: [number, number][] = []
  for (const [start, end] of times.toSorted(([one], [other]) => one - other)) {
    const last = joined.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else joined.push([start, end])
  }
  return joined.slice(0, maxTimes)
}
