// Bookings: appointments with visitors, made on a public page or by the owner.
import { bookingRoutes, type Booking, type BookingRow } from '#contract/bookings.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { mount } from '#server/platform/http/mount.ts'
import { createRecordHandlers } from '#server/platform/records/handlers.ts'
import { bookings } from './kind.ts'
import { readCalendar } from './store.ts'

export const bookingFeature: Feature = {
  kinds: [bookings],
  mount: (router, context) =>
    mount(router, bookingRoutes, {
      ...createRecordHandlers<Booking, BookingRow>(bookings, context),
      calendar: ({ caller, query }) => context.database.read(caller, () => readCalendar(caller.owner, query)),
    }),
}
