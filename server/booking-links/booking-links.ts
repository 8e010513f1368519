// Booking links: public pages on which visitors book a time.
import { bookingLinkRoutes, type BookingLink, type BookingLinkRow } from '#contract/bookingLinks.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount } from '#server/platform/http/mount.ts'
import { createWithSlug } from '#server/platform/records/create-with-slug.ts'
import { createRecordHandlers } from '#server/platform/records/handlers.ts'
import { bookingLinks } from './kind.ts'

/** For the bookings of visitors. */
export { computeSlots, findNearest, isOfferedWhenFree, type BusyTime, type DayOfSlots } from './slots.ts'

export const bookingLinkFeature: Feature = {
  kinds: [bookingLinks],
  mount: (router, context) =>
    mount(router, bookingLinkRoutes, {
      ...createRecordHandlers<BookingLink, BookingLinkRow>(bookingLinks, context),
      create: ({ caller, body }) => createWithSlug<BookingLink>(context, caller, bookingLinks, body),
    }),
  webScreens: [{ path: '/bookings/links', module: 'web/booking-links/BookingLinksPage.tsx' }],
}
