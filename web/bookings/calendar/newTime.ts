import { getToday } from '#web/lib/format.ts'
import { toInstant, type LocalTime, type Zone } from '../zone.ts'

const minuteMs = 60_000
const lengthMinutes = 30
const morning = 9 * 60

/** Returns the URL parameters for a new booking at a time of the calendar. */
export function getNewTimeSearch(zone: Zone, at: LocalTime): { start: string; end: string } {
  const start = toInstant(zone, at)
  return { start: new Date(start).toISOString(), end: new Date(start + lengthMinutes * minuteMs).toISOString() }
}

/** Returns the URL parameters for a new booking on a day: in the morning; without times, which means the next full hour, for today. */
export const getNewBookingSearch = (zone: Zone, day: string): { start?: string; end?: string } =>
  day === getToday() ? {} : getNewTimeSearch(zone, { date: day, minutes: morning })
