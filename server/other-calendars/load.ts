// Loads a calendar: downloads its file, and finds the busy times in the file.
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { isTimezone } from '#server/platform/time/zones.ts'
import { findBookingsOfOtherOwners, type ReadResult, type StoredCalendar } from './calendars.store.ts'
import { downloadCalendar } from './download.ts'
import { readCalendarFile } from './read-file.ts'

/** The services of this feature. */
export type CalendarServices = Pick<AppContext, 'database' | 'now' | 'installationKey' | 'outbound'> & {
  settings: Pick<AppContext['settings'], 'allowedHosts' | 'address'>
}

/** How often a calendar is read. */
export const readPauseMs = 15 * 60_000

const dayMs = 24 * 60 * 60_000
/** Busy times are also kept for the calendar screen: this many days back, and at least this many ahead. */
const pastDays = 40
const minFutureDays = 100
/**
 * Busy times are stored for this many days more than booking links offer, so that an unchanged calendar is parsed again only after these
 * days.
 */
const spareDays = 7

type LoadRequest = {
  address: string
  bookingWindow: { timezone: string; window_days: number }
  stored?: Pick<StoredCalendar, 'etag' | 'last_modified' | 'timezone' | 'read_until'>
}

/**
 * Downloads a calendar and finds its busy times, from the recent past to the last day that visitors can book. Returns undefined if the file
 * has not changed and the stored busy times are enough. Throws `CalendarFailure`, and the reason of the signal.
 */
export async function loadCalendar(
  services: CalendarServices,
  caller: Caller,
  { address, bookingWindow, stored }: LoadRequest,
  signal: AbortSignal,
): Promise<ReadResult | undefined> {
  const timezone = isTimezone(bookingWindow.timezone) ? bookingWindow.timezone : 'UTC'
  const nowMs = services.now().getTime()
  // two days more: one for the rest of the last day, and one because this day may end later for the visitor
  const neededMs = nowMs + (Math.max(bookingWindow.window_days, minFutureDays) + 2) * dayMs
  const isEnough = stored?.timezone === timezone && stored.read_until !== null && Date.parse(stored.read_until) >= neededMs
  const file = await downloadCalendar(services, address, isEnough ? stored : undefined, signal)
  if (!file) return undefined
  const { bytes, ...version } = file
  const toMs = neededMs + spareDays * dayMs
  const { hostname } = new URL(services.settings.address)
  const { times, unreadable } = await readCalendarFile(
    { bytes, timezone, fromMs: nowMs - pastDays * dayMs, toMs, hostname },
    (ids) => services.database.read(caller, () => findBookingsOfOtherOwners(ids)),
    signal,
  )
  return { ...version, timezone, until: new Date(toMs), unreadable, times }
}
