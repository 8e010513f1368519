import type { CalendarBooking } from '#contract/bookings.ts'
import type { OtherBusyTime } from '#contract/otherCalendars.ts'

/** Whether a part of a booking or of a busy time is on a day of the profile's time zone. A booking that ends at midnight is not on the day after. */
export const isOnDay = ({ local_start, local_end }: Pick<CalendarBooking, 'local_start' | 'local_end'>, day: string): boolean =>
  local_start.slice(0, 10) <= day && local_end > `${day}T00:00`

/** Whether the clocks in the zone of a booking show other times than those in the profile's zone. */
export const hasOtherTimes = ({ shown_start, shown_end, local_start, local_end }: CalendarBooking): boolean =>
  shown_start !== local_start.slice(11) || shown_end !== local_end.slice(11)

/** Returns the part of a busy time on a day as "10:00 - 11:00", or "All day". */
export function formatBusyTime({ local_start, local_end }: Pick<OtherBusyTime, 'local_start' | 'local_end'>, day: string): string {
  const from = local_start < `${day}T00:00` ? '00:00' : local_start.slice(11)
  const to = local_end.slice(0, 10) > day ? '24:00' : local_end.slice(11)
  return from === '00:00' && to === '24:00' ? 'All day' : `${from} - ${to}`
}
