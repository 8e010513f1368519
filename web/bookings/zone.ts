// Converts between instants and the times of the profile's time zone with the offsets that the server sends, because the rules of browsers
// may be older.
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { bookingRoutes, type ZoneOffsets } from '#contract/bookings.ts'
import { call } from '#web/lib/client.ts'
import { formatWeekdayAndDay, getToday } from '#web/lib/format.ts'

const minuteMs = 60_000
const dayMinutes = 24 * 60

/** The UTC offsets in minutes, each with the instant in ms from which it is valid. */
export type Zone = { timezone: string; offsets: readonly { from: number; minutes: number }[] }

/** What the clocks show: a date as `YYYY-MM-DD`, and the minutes since midnight. */
export type LocalTime = { date: string; minutes: number }

export const zoneQuery = queryOptions({
  queryKey: ['bookings', 'zone'],
  meta: { tables: ['profiles'] },
  queryFn: async ({ signal }) => toZone(await call(bookingRoutes.zone, {}, { signal })),
})

/** Returns the time zone of the profile. Suspends while it is being loaded. */
export const useZone = (): Zone => useSuspenseQuery(zoneQuery).data

const toZone = ({ timezone, offsets }: ZoneOffsets): Zone => ({
  timezone,
  offsets: offsets.map(({ from, minutes }) => ({ from: Date.parse(from), minutes })),
})

const getOffset = ({ offsets }: Zone, instantMs: number): number =>
  (offsets.findLast(({ from }) => from <= instantMs) ?? offsets[0])?.minutes ?? 0

/** Returns what the clocks show at an instant in ms. */
export function toLocal(zone: Zone, instantMs: number): LocalTime {
  const localMs = instantMs + getOffset(zone, instantMs) * minuteMs
  const date = new Date(localMs).toISOString().slice(0, 10)
  return { date, minutes: (localMs - Date.parse(`${date}T00:00:00Z`)) / minuteMs }
}

/**
 * Returns the first instant in ms at which the clocks show a time. If the clocks skip the time, the result is later by the skipped length:
 * 02:30 for 01:30.
 */
export function toInstant(zone: Zone, { date, minutes }: LocalTime): number {
  const localMs = Date.parse(`${date}T00:00:00Z`) + minutes * minuteMs
  const before = getOffset(zone, localMs - dayMinutes * minuteMs)
  const after = getOffset(zone, localMs + dayMinutes * minuteMs)
  const candidates = [before, after].map((offset) => ({ offset, instant: localMs - offset * minuteMs }))
  return (candidates.find(({ offset, instant }) => getOffset(zone, instant) === offset) ?? candidates[0])?.instant ?? localMs
}

/** Formats minutes since midnight as "09:30". */
export const formatMinutesOfDay = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(Math.floor(minutes % 60)).padStart(2, '0')}`

/** Formats the times of a booking: "Tue 1 Dec, 09:00 to 09:30", with the year if it is not the current one. */
export function formatBookingTime(zone: Zone, start: string, end: string): string {
  const [from, to] = [toLocal(zone, Date.parse(start)), toLocal(zone, Date.parse(end))]
  const formatDay = (date: string): string =>
    formatWeekdayAndDay(date) + (date.slice(0, 4) === getToday().slice(0, 4) ? '' : ` ${date.slice(0, 4)}`)
  const endDay = from.date === to.date ? '' : `${formatDay(to.date)}, `
  return `${formatDay(from.date)}, ${formatMinutesOfDay(from.minutes)} to ${endDay}${formatMinutesOfDay(to.minutes)}`
}
