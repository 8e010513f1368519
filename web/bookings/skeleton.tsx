import { bookingRoutes } from '#contract/bookings.ts'
import { addressOf } from '#web/lib/client.ts'
import type { ScreenSkeleton } from '#web/lib/skeleton.ts'

/** The calendar before the application has started. */
export const bookingsSkeleton: ScreenSkeleton = {
  path: '/bookings/calendar',
  includesSubpaths: true, // a booking opens in a panel over the calendar
  title: 'Calendar',
  content: null,
  firstRequests: () => [addressOf(bookingRoutes.zone, {})],
}
