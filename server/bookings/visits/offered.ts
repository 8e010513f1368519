// The times that a booking link offers to a visitor, with the texts to show.
import { maxOfferedDays, type OfferedDay, type OfferedTime, type TimesResponse } from '#contract/publicBookings.ts'
import { computeSlots, findNearest, type DayOfSlots } from '#server/booking-links/booking-links.ts'
import { addDays, formatDate, formatZone, toFirstInstant, toLocalTime } from '#server/platform/time/local-time.ts'
import { readBusyTimes, type PublicLink } from './links.store.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * 60 * minuteMs

type OfferRequest = {
  link: PublicLink
  timezone: string
  now: Date
  /** The first day in the visitor's zone; today by default. */
  from?: string | undefined
  days: number
  /** Reads only this number of days with free times. */
  maxDays?: number | undefined
  /** Reads no further days after the one that reaches this number of times. */
  maxTimes?: number | undefined
  /** The id of the booking that is moved, whose own time is free for it. */
  exceptBooking?: string | undefined
}

/** Reads the free times of at most 60 days. Call it inside `database.read`. */
export async function readOffered(request: OfferRequest): Promise<Omit<TimesResponse, 'other_day' | 'is_full'>> {
  const { link, timezone, now, days, maxDays = Infinity, maxTimes = Infinity } = request
  const today = toLocalTime(timezone, now.getTime()).date
  const lastDay = addDays(today, link.window_days + 1) // the last day in the owner's zone may be the next one for the visitor
  const from = later(request.from ?? today, today)
  const lastRequested = addDays(from, Math.min(days, maxOfferedDays) - 1)
  const to = earlier(lastRequested, lastDay)
  const offered = await readSlots(request, from, to)
  const isLimited = offered.length >= maxDays || offered.reduce((count, { starts }) => count + starts.length, 0) >= maxTimes
  return {
    timezone,
    timezone_label: formatTimezone(timezone, now.getTime()),
    today,
    last_day: lastDay,
    complete_to: (isLimited && offered.at(-1)?.date) || lastRequested,
    days: offered.map((day): OfferedDay => ({
      date: day.date,
      label: formatDate(day.date),
      timezone_label: formatTimezone(timezone, day.starts[0] ?? now.getTime()),
      times: day.starts.map((start) => ({
        start_time: new Date(start).toISOString(),
        label: formatTimes(timezone, start, endOf(link, start)),
      })),
    })),
  }
}

/** If the requested days have no times, this number of days after them is searched, and then this number of days before them. */
const maxSearchedDays = 90

/** Reads the free times of at most 60 days, and another day with times if they have none. Call it inside `database.read`. */
export async function readOfferedOrOther(request: OfferRequest): Promise<TimesResponse> {
  const offered = await readOffered(request)
  if (offered.days.length > 0) return { ...offered, other_day: null, is_full: false }
  const { today, last_day: lastDay, complete_to: completeTo } = offered
  const lastAfter = addDays(completeTo, maxSearchedDays)
  const [after] = await readSlots({ ...request, maxDays: 1 }, addDays(completeTo, 1), earlier(lastAfter, lastDay))
  const lastBefore = earlier(addDays(request.from ?? today, -1), lastDay)
  const firstBefore = addDays(lastBefore, 1 - maxSearchedDays)
  const before = after
    ? []
    : await readSlots({ ...request, maxDays: undefined, maxTimes: undefined }, later(firstBefore, today), lastBefore)
  const found = after ?? before.at(-1)
  return {
    ...offered,
    other_day: found ? { date: found.date, label: formatDate(found.date) } : null,
    is_full: !found && lastAfter >= lastDay && firstBefore <= today,
  }
}

/** Returns the days with free times; none if the first day is after the last one. */
async function readSlots(
  { link, timezone, now, exceptBooking, maxDays, maxTimes }: Omit<OfferRequest, 'days'>,
  from: string,
  to: string,
): Promise<DayOfSlots[]> {
  if (from > to) return []
  const busy = await readBusyTimes({
    link,
    fromMs: toFirstInstant(timezone, from, 0),
    toMs: toFirstInstant(timezone, to, 24 * 60),
    exceptBooking,
  })
  return computeSlots({ rules: link, ownerZone: link.owner_timezone, visitorZone: timezone, from, to, now, busy, maxDays, maxTimes })
}

/** The nearest free times are searched on this number of days before and after a time. */
const nearestDays = 14

/** Reads the three free times that are nearest to a start. Call it inside `database.read`. */
export async function readNearest(request: Omit<OfferRequest, 'days' | 'from'>, start: number): Promise<OfferedTime[]> {
  const { timezone, link } = request
  const days = await readSlots(
    request,
    toLocalTime(timezone, start - nearestDays * dayMs).date,
    toLocalTime(timezone, start + nearestDays * dayMs).date,
  )
  return findNearest(days, start, 3).map((nearest) => ({
    start_time: new Date(nearest).toISOString(),
    // the time before the day, because phones cut the end
    label: `${formatTimes(timezone, nearest, endOf(link, nearest))}, ${formatDate(toLocalTime(timezone, nearest).date)}`,
  }))
}

/** Returns the end of a booking with this start. Both are in milliseconds since 1970. */
export const endOf = ({ duration_minutes: minutes }: Pick<PublicLink, 'duration_minutes'>, start: number): number =>
  start + minutes * minuteMs

/**
 * Returns a range such as `10:00 to 10:30`. Near a change of the clocks it is `01:30 EDT (UTC-4) to 01:00 EST (UTC-5)`, because the clocks
 * show the same time twice.
 */
function formatTimes(timezone: string, start: number, end: number): string {
  const offsetAt = (instant: number): number => toLocalTime(timezone, instant).offsetMinutes
  const isNearChange = offsetAt(start - hourMs) !== offsetAt(end + hourMs)
  const format = (instant: number): string =>
    `${toLocalTime(timezone, instant).time}${isNearChange ? ` ${formatZone(timezone, instant)}` : ''}`
  return `${format(start)} to ${format(end)}`
}

/** Returns a range with its day, such as `Monday, 30 November 2026, 10:00 to 10:30`. */
export const formatWhen = (timezone: string, start: number, end: number): string =>
  `${formatDate(toLocalTime(timezone, start).date)}, ${formatTimes(timezone, start, end)}`

/** Returns the place and the name of a time zone at an instant, such as `New York, EDT (UTC-4)`. */
export function formatTimezone(timezone: string, instant: number): string {
  const place = timezone.split('/').at(-1)?.replaceAll('_', ' ') ?? timezone
  const zone = formatZone(timezone, instant)
  return place === zone ? zone : `${place}, ${zone}`
}

const later = (one: string, other: string): string => (one > other ? one : other)
const earlier = (one: string, other: string): string => (one < other ? one : other)
