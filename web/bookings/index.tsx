// Bookings: appointments with visitors, in a calendar by month, week and day, with a panel and a dialog for each booking.
import { lazyRouteComponent } from '@tanstack/react-router'
import { IconCalendar, IconCalendarEvent, IconCalendarPlus, IconCalendarWeek } from '@tabler/icons-react'
import { recordKinds } from '#contract/kinds.ts'
import { defineFeature } from '#web/lib/routes.ts'
import { recordRoutes } from '#web/records/address/recordRoutes.ts'
import { parseCalendar } from './calendarAddress.ts'
import { describeStatusChange } from './kind/statuses.ts'
import { parseNewBooking } from './newBooking.ts'
import { bookingsEntry } from './sidebar.ts'

const screens = recordRoutes('/bookings/calendar', {
  parseList: parseCalendar,
  parseNew: parseNewBooking,
  screens: {
    list: lazyRouteComponent(() => import('./CalendarPage.tsx'), 'CalendarPage'),
    add: lazyRouteComponent(() => import('./BookingDialog.tsx'), 'AddBookingDialog'),
    show: lazyRouteComponent(() => import('./BookingPanel.tsx'), 'BookingPanel'),
    edit: lazyRouteComponent(() => import('./BookingDialog.tsx'), 'EditBookingDialog'),
  },
})

export const bookings = defineFeature({
  signedInRoutes: [screens],
  sidebar: bookingsEntry,
  records: [
    {
      ...recordKinds.booking,
      icon: IconCalendarEvent,
      addressOf: ({ id }) => `/bookings/calendar/${id}`,
      describeChange: describeStatusChange,
      loadFields: () => import('./BookingDialog.tsx').then(({ bookingFields }) => bookingFields),
    },
  ],
  contactTab: {
    name: 'appointments',
    label: 'Appointments',
    position: 2,
    Tab: lazyRouteComponent(() => import('./AppointmentsTab.tsx'), 'AppointmentsTab'),
    Count: lazyRouteComponent(() => import('./AppointmentsTab.tsx'), 'AppointmentsCount'),
  },
  actions: [
    {
      label: 'Add booking',
      address: '/bookings/calendar/new',
      icon: IconCalendarPlus,
      paletteTextParameter: 'title',
      keywords: 'new booking create appointment meeting event',
    },
    { label: 'Calendar by week', address: '/bookings/calendar?view=week', icon: IconCalendarWeek, isPage: true, keywords: 'bookings' },
    { label: 'Calendar by day', address: '/bookings/calendar?view=day', icon: IconCalendar, isPage: true, keywords: 'bookings today' },
  ],
})
