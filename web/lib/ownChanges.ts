/** The maximum number of changes to remember. The events of older changes arrived long ago. */
const maxChanges = 200
/** The time of the response, by `performance.now`, for each id of a change. */
const responseTimes = new Map<string, number>()

/** Stores the id of a change that this tab wrote. Must be called when the response to the write arrives. */
export function rememberOwnChange(changeId: string): void {
  responseTimes.set(changeId, performance.now())
  const [oldestChange] = responseTimes.keys()
  if (oldestChange !== undefined && responseTimes.size > maxChanges) responseTimes.delete(oldestChange)
}

/** Returns the time when the response to the write arrived, by `performance.now`; undefined for a change of another tab. */
export const findResponseTime = (changeId: string): number | undefined => responseTimes.get(changeId)
