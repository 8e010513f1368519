import { bookingLinkRoutes } from '#contract/bookingLinks.ts'
import type { ScreenSkeleton } from '#web/lib/skeleton.ts'
import { firstRequestsOfList } from '#web/records/list/firstRequests.ts'
import { RowsSkeleton } from '#web/ui/PageSkeleton.tsx'

/** The list of booking links before the application has started. */
export const bookingLinksSkeleton: ScreenSkeleton = {
  path: '/bookings/links',
  includesSubpaths: true, // a booking link opens in a panel over the list
  title: 'Booking links',
  searchLabel: 'Search booking links',
  content: <RowsSkeleton />,
  firstRequests: () => firstRequestsOfList(bookingLinkRoutes),
}
