import { IconCalendarShare } from '@tabler/icons-react'
import type { SidebarEntry } from '#web/lib/routes.ts'

/** The entry of the booking links in the sidebar. */
export const bookingLinksEntry = {
  label: 'Booking Links',
  address: '/bookings/links',
  icon: IconCalendarShare,
  group: { label: 'Bookings', prefix: '/bookings' },
  keys: 'g-l',
  hasSearchableList: true,
} as const satisfies SidebarEntry
