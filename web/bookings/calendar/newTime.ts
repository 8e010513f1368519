import { getToday } from '#web/lib/format.ts'
import { toInstant, type LocalTime, type Zone } from '../zone.ts'

const minuteMs = 60_000
const defaultLengthMinutes = 30
const defaultStartMinutes = 9 * 60

/** Returns the URL parameters for a new booking at a time of the calendar. */
export function getNewTimeSearch(zone: Zone, at: LocalTime): { start: string; end: string } {
  const start = toInstant(zone, at)
  return { start: new Date(start).toISOString(), end: new Date(start + defaultLengthMinutes * minuteMs).toISOString() }
}

/** Returns the URL parameters for a new booking on a day at 09:00; none for today, so that the form takes the next full hour. */
export const getNewBookingSearch = (zone: Zone, day: string): { start?: string; end?: string } =>
  day === getToday() ? {} : getNewTimeSearch(zone, { date: day, minutes: defaultStartMinutes })
