// Booking links: public pages on which visitors book a time, with a list, a panel for each link, and a dialog that adds and edits.
import { lazyRouteComponent } from '@tanstack/react-router'
import { IconCalendarPlus, IconCalendarShare } from '@tabler/icons-react'
import { recordKinds } from '#contract/kinds.ts'
import { defineFeature } from '#web/lib/routes.ts'
import { parseListParameters } from '#web/records/address/listSettings.ts'
import { parseText } from '#web/records/address/newRecord.ts'
import { recordRoutes } from '#web/records/address/recordRoutes.ts'
import { bookingLinksEntry } from './sidebar.ts'

const screens = recordRoutes('/bookings/links', {
  parseList: parseListParameters,
  parseNew: ({ title }): { title?: string | undefined } => ({ title: parseText(title) }),
  screens: {
    list: lazyRouteComponent(() => import('./BookingLinksPage.tsx'), 'BookingLinksPage'),
    add: lazyRouteComponent(() => import('./BookingLinkDialog.tsx'), 'AddBookingLinkDialog'),
    show: lazyRouteComponent(() => import('./BookingLinkPanel.tsx'), 'BookingLinkPanel'),
    edit: lazyRouteComponent(() => import('./BookingLinkDialog.tsx'), 'EditBookingLinkDialog'),
  },
})

export const bookingLinks = defineFeature({
  signedInRoutes: [screens],
  sidebar: bookingLinksEntry,
  records: [
    {
      ...recordKinds['booking link'],
      icon: IconCalendarShare,
      addressOf: ({ id }) => `/bookings/links/${id}`,
      linkFieldSource: () => import('./bookingLinkSource.ts').then(({ bookingLinkSource }) => bookingLinkSource),
      loadFields: () => import('./BookingLinkDialog.tsx').then(({ bookingLinkFields }) => bookingLinkFields),
    },
  ],
  actions: [
    {
      label: 'Add booking link',
      address: '/bookings/links/new',
      icon: IconCalendarPlus,
      paletteTextParameter: 'title', // the URL parameter that gets the text typed into the command palette
      keywords: 'new booking link create page appointment meeting schedule',
    },
  ],
})
