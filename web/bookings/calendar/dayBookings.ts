import type { CalendarBooking } from '#contract/bookings.ts'
import type { OtherBusyTime } from '#contract/otherCalendars.ts'
import { formatWeekdayAndDay } from '#web/lib/format.ts'
import { addDays, formatWeekday } from '../days.ts'
import type { Segment } from './lanes.ts'
import { formatMinutesOfDay, toLocal, type LocalTime, type Zone } from '../zone.ts'

type LocalTimes = Pick<CalendarBooking, 'local_start' | 'local_end'>

/** Whether a part of a booking or of a busy time is on a day of the profile's time zone. A booking that ends at midnight is not on the day after. */
export const isOnDay = ({ local_start, local_end }: LocalTimes, day: string): boolean =>
  local_start.slice(0, 10) <= day && local_end > `${day}T00:00`

/** Whether a booking has a part on the day after its start. */
export const isOverSeveralDays = (times: LocalTimes): boolean => isOnDay(times, addDays(times.local_start.slice(0, 10), 1))

/** Formats a time of the profile's time zone, given as `YYYY-MM-DDTHH:MM`: "Sat 5 Dec, 17:00". */
export const formatLocalTime = (time: string): string => `${formatWeekdayAndDay(time.slice(0, 10))}, ${time.slice(11)}`

/** Formats the times of a booking over several days: "Thu 3 Dec, 09:00 to Sat 5 Dec, 17:00". */
export const formatLocalTimes = ({ local_start, local_end }: LocalTimes): string =>
  `${formatLocalTime(local_start)} to ${formatLocalTime(local_end)}`

/** Whether the clocks in the zone of a booking show other times than those in the profile's zone. */
export const hasOtherTimes = ({ shown_start, shown_end, local_start, local_end }: CalendarBooking): boolean =>
  shown_start !== local_start.slice(11) || shown_end !== local_end.slice(11)

/** Returns the start and the end of a booking as a day shows them: "09:00", or "Thu 09:00" for a time of another day. */
export function formatTimes(zone: Zone, { booking: { start_time, end_time }, isFirst, isLast }: Segment): { start: string; end: string } {
  return {
    start: formatTime(toLocal(zone, Date.parse(start_time)), isFirst),
    end: formatTime(toLocal(zone, Date.parse(end_time)), isLast),
  }
}

const formatTime = ({ date, minutes }: LocalTime, isOnShownDay: boolean): string =>
  isOnShownDay ? formatMinutesOfDay(minutes) : `${formatWeekday(date)} ${formatMinutesOfDay(minutes)}`

/** Returns the part of a busy time on a day as "10:00 - 11:00", or "All day". */
export function formatBusyTime({ local_start, local_end }: Pick<OtherBusyTime, 'local_start' | 'local_end'>, day: string): string {
  const from = local_start < `${day}T00:00` ? '00:00' : local_start.slice(11)
  const to = local_end.slice(0, 10) > day ? '24:00' : local_end.slice(11)
  return from === '00:00' && to === '24:00' ? 'All day' : `${from} - ${to}`
}
