import type { CalendarBooking } from '#contract/bookings.ts'

/** Whether a part of a booking is on a day of the profile's time zone. A booking that ends at midnight is not on the day after. */
export const isOnDay = ({ local_start, local_end }: CalendarBooking, day: string): boolean =>
  local_start.slice(0, 10) <= day && local_end > `${day}T00:00`
