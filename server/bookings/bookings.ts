// Bookings: appointments with visitors, made on a public page or by the owner.
import { bookingRoutes, type Booking, type BookingRow } from '#contract/bookings.ts'
import { zoneChangeRoutes } from '#contract/zoneChanges.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { serveEmbedScript } from '#server/platform/http/embed-script.ts'
import { mount } from '#server/platform/http/mount.ts'
import { createRecordHandlers } from '#server/platform/records/handlers.ts'
import { readCalendar, readZone } from './calendar.ts'
import { mountFeed } from './feed/feed.ts'
import { bookings } from './kind.ts'
import { bookPage } from './visits/book-page.ts'
import { cancelPage, movePage } from './visits/change-pages.ts'
import { createNoticeJobHandler } from './visits/notice.job.ts'
import { deleteOldNotices } from './visits/notices.store.ts'
import { stopWaitingPage } from './visits/stop-waiting-page.ts'
import { mountVisits } from './visits/visits.ts'
import { createWaitJobHandler } from './visits/wait.job.ts'
import { enqueueWaitJobs, waitColumns } from './visits/waits.store.ts'
import { deleteZoneChanges, readZoneChanges } from './zones/zone-changes.ts'
import { storeZoneChanges } from './zones/zone-rules.ts'

/** For the dashboard. */
export { readUpcoming } from './calendar.ts'

export const bookingFeature: Feature = {
  kinds: [bookings],
  takeoutTables: [
    { table: 'booking_notices', name: 'booking_notices' },
    { table: 'booking_waits', name: 'booking_waits', columns: waitColumns },
    { table: 'booking_zone_changes', name: 'booking_zone_changes' },
    { table: 'calendar_feeds', name: 'calendar_feeds' },
  ],
  mount: (router, context) => {
    const { database, now } = context
    mount(router, bookingRoutes, {
      ...createRecordHandlers<Booking, BookingRow>(bookings, context),
      calendar: ({ caller, query }) => database.read(caller, () => readCalendar(caller.owner, query)),
      zone: ({ caller }) => database.read(caller, () => readZone(caller.owner)),
    })
    serveEmbedScript(router.server, { path: 'book', title: 'Booking' })
    mountFeed(router, context)
    mount(router, zoneChangeRoutes, {
      list: ({ caller }) => database.read(caller, () => readZoneChanges(caller.owner, now())),
      dismiss: async ({ caller }) => void (await database.transaction(caller, '', () => deleteZoneChanges(caller.owner))),
    })
    mountVisits(router, context)
  },
  jobs: (context) => [createNoticeJobHandler(context), createWaitJobHandler(context)],
  schedules: (tableOwner, now) => [
    { name: 'old booking notices', everySeconds: 24 * 60 * 60, run: () => deleteOldNotices(tableOwner, now()) },
    { name: 'zone rules', everySeconds: 60 * 60, run: () => storeZoneChanges(tableOwner, now()) },
    { name: 'booking waits', everySeconds: 15 * 60, run: () => enqueueWaitJobs(tableOwner, now()) },
  ],
  publicPages: [bookPage, cancelPage, movePage, stopWaitingPage],
  webScreens: [{ path: '/bookings/calendar', module: 'web/bookings/CalendarPage.tsx' }],
}
