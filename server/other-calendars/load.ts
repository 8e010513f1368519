import type { AppContext } from '#server/platform/feature/context.ts'
import { isTimezone } from '#server/platform/time/zones.ts'
import type { ReadResult, StoredCalendar } from './calendars.store.ts'
import { downloadCalendar } from './download.ts'
import { readFile } from './read-file.ts'

/** The services of this feature. */
export type CalendarServices = Pick<AppContext, 'database' | 'now' | 'secret' | 'outbound'> & {
  settings: Pick<AppContext['settings'], 'allowedHosts' | 'address'>
}

/** How often a calendar is read. */
export const readPauseMs = 15 * 60_000

const dayMs = 24 * 60 * 60_000
/** Busy times are also kept for the calendar screen: this many days back, and at least this many ahead. */
const pastDays = 40
const minFutureDays = 100
/** A calendar that does not change is read again in full before the stored busy times are shorter than what links offer. */
const spareDays = 7

type Load = {
  address: string
  needs: { timezone: string; window_days: number }
  stored?: Pick<StoredCalendar, 'etag' | 'last_modified' | 'timezone' | 'read_until'>
}

/**
 * Downloads a calendar and finds its busy times, from the recent past to the last day that visitors can book. Returns undefined if the file
 * and what is needed of it are as before. Throws `CalendarFailure`, and the reason of the signal.
 */
export async function loadCalendar(
  services: Pick<CalendarServices, 'outbound' | 'settings' | 'now'>,
  { address, needs, stored }: Load,
  signal: AbortSignal,
): Promise<ReadResult | undefined> {
  const timezone = isTimezone(needs.timezone) ? needs.timezone : 'UTC'
  const nowMs = services.now().getTime()
  // one day more, because the last day of the visitor may end later
  const neededMs = nowMs + (Math.max(needs.window_days, minFutureDays) + 2) * dayMs
  const isEnough = stored?.timezone === timezone && stored.read_until !== null && Date.parse(stored.read_until) >= neededMs
  const file = await downloadCalendar(services, address, isEnough ? stored : undefined, signal)
  if (!file) return undefined
  const { bytes, ...version } = file
  const toMs = neededMs + spareDays * dayMs
  const { hostname } = new URL(services.settings.address)
  const { times, unreadable } = await readFile({ bytes, timezone, fromMs: nowMs - pastDays * dayMs, toMs, hostname }, signal)
  return { ...version, timezone, until: new Date(toMs), unreadable, times }
}
