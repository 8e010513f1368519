const maxRemembered = 200
const responseTimes = new Map<string, number>()

/** Stores the id of a change that this tab wrote. Must be called when the response to the write arrives. */
export function rememberOwnChange(change: string): void {
  responseTimes.set(change, performance.now())
  const [oldest] = responseTimes.keys()
  if (oldest !== undefined && responseTimes.size > maxRemembered) responseTimes.delete(oldest)
}

/** Returns the time when the response to the write arrived, by `performance.now`; undefined for a change of another tab. */
export const findResponseTime = (change: string): number | undefined => responseTimes.get(change)
