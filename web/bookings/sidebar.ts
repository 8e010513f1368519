import { IconCalendar } from '@tabler/icons-react'
import type { SidebarEntry } from '#web/lib/routes.ts'

/** The entry of the calendar in the sidebar. */
export const bookingsEntry = {
  label: 'Calendar',
  address: '/bookings/calendar',
  icon: IconCalendar,
  group: { label: 'Bookings', prefix: '/bookings' },
  keys: 'g-b',
  keywords: 'bookings appointments',
} as const satisfies SidebarEntry
