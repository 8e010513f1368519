// Reads calendar files in a worker thread, because a file can be made to take very long or much memory.
import { Worker } from 'node:worker_threads'
import { CalendarFailure } from './failure.ts'
import type { FileRequest, FileResult } from './file/busy.ts'
import { joinTimes, type BusyTime } from './file/times.ts'

/** The worker is ended after this time. */
let timeoutMs = 15_000
/** Sets the time within which a file must be read. Tests lower it. */
export function setFileTimeout(newTimeoutMs: number): void {
  timeoutMs = newTimeoutMs
}

/** `unreadable` is the number of events that could not be read. */
export type CalendarContent = { times: { startMs: number; endMs: number }[]; unreadable: number }
/** Returns the ids of the given bookings that belong to other owners. */
type FindBookingsOfOtherOwners = (ids: readonly string[]) => Promise<readonly string[]>

const tooMany = 'The calendar has more repeating events than can be read.'
const noCalendar = 'This address leads to something that is not a calendar. Copy the address that ends in .ics.'

/**
 * Returns the busy times of a file: sorted by start, overlaps joined. A booking of this server is busy if it belongs to another owner. The
 * owner's own bookings are left out, because they may have been moved since. Throws `CalendarFailure`, and the reason of the signal.
 */
export async function readCalendarFile(
  request: FileRequest,
  findBookingsOfOtherOwners: FindBookingsOfOtherOwners,
  signal: AbortSignal,
): Promise<CalendarContent> {
  const result = await runWorker(request, signal)
  if ('problem' in result) throw new CalendarFailure(result.problem === 'no_calendar' ? noCalendar : tooMany)
  const { ids } = result.bookings
  const bookingsOfOtherOwners = new Set(ids.length > 0 ? await findBookingsOfOtherOwners([...new Set(ids)]) : [])
  const timesOfOtherOwners = toPairs(result.bookings.times).filter((_time, index) => bookingsOfOtherOwners.has(ids[index] ?? ''))
  const times = joinTimes([...toPairs(result.times), ...timesOfOtherOwners])
  return { times: times.map(([startMs, endMs]) => ({ startMs, endMs })), unreadable: result.unreadable }
}

const toPairs = (times: Float64Array): BusyTime[] =>
  Array.from({ length: times.length / 2 }, (_each, index) => [times[2 * index] ?? 0, times[2 * index + 1] ?? 0])

async function runWorker(request: FileRequest, signal: AbortSignal): Promise<FileResult> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('file/worker.ts', import.meta.url), {
    workerData: request,
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  })
  const { promise, resolve, reject } = Promise.withResolvers<FileResult>()
  worker.once('message', (result: FileResult) => resolve(result))
  worker.once('error', (error) => reject(new CalendarFailure(tooMany, { cause: error })))
  worker.once('exit', () => reject(new CalendarFailure(tooMany)))
  const timer = setTimeout(() => reject(new CalendarFailure(tooMany)), timeoutMs)
  const abort = (): void => reject(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    await worker.terminate()
  }
}
