// Bookings: appointments with visitors, made on a public page or by the owner.
import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { bookingRoutes, type Booking, type BookingRow } from '#contract/bookings.ts'
import { publicBookingRoutes } from '#contract/publicBookings.ts'
import { zoneChangeRoutes } from '#contract/zoneChanges.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import type { Feature } from '#server/platform/feature/feature.ts'
import { serveEmbedScript } from '#server/platform/http/embed-script.ts'
import type { RequestIdentity } from '#server/platform/http/identity.ts'
import { mount } from '#server/platform/http/mount.ts'
import { visitorOf, visitorOfOwner } from '#server/platform/http/visitor.ts'
import { createRecordHandlers } from '#server/platform/records/handlers.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { requireTimezone } from '#server/platform/time/zones.ts'
import { readCalendar, readZone } from './calendar.ts'
import { mountFeed } from './feed/feed.ts'
import { bookings } from './kind.ts'
import { bookedAddress, bookPage, waitingAddress } from './visits/book-page.ts'
import { bookTime } from './visits/book.ts'
import { cancelBooking, moveBooking } from './visits/change.ts'
import { cancelPage, movePage } from './visits/change-pages.ts'
import { findLinkOwner, readPublicLink, type PublicLink } from './visits/links.store.ts'
import { handleNoticeJobs } from './visits/notice.job.ts'
import { deleteOldNotices } from './visits/notices.store.ts'
import { readOffered } from './visits/offered.ts'
import { stopWaitingPage } from './visits/stop-waiting-page.ts'
import { readBookingToken, type BookingReference, type TokenPurpose } from './visits/tokens.ts'
import { handleWaitJobs } from './visits/wait.job.ts'
import { stopWaiting, waitForTime } from './visits/wait.ts'
import { enqueueWaits } from './visits/waits.store.ts'
import { deleteZoneChanges, readZoneChanges } from './zones/zone-changes.ts'
import { noteZoneChanges } from './zones/zone-rules.ts'

/** For the dashboard. */
export { readUpcoming } from './calendar.ts'

export const bookingFeature: Feature = {
  kinds: [bookings],
  ownedTables: [
    { table: 'booking_notices', name: 'booking_notices' },
    { table: 'booking_waits', name: 'booking_waits' },
    { table: 'booking_zone_changes', name: 'booking_zone_changes' },
    { table: 'calendar_feeds', name: 'calendar_feeds' },
  ],
  mount: (router, context) => {
    const { database, now, secret, settings } = context
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
    router.finders.visitor.push(
      (request) => findVisitorOfLink(database, request),
      async (request) => findVisitorOfBooking(context, request),
    )
    const services = { database, now, secret, address: settings.address, visitors: router.visitors }
    mount(router, publicBookingRoutes, {
      times: ({ caller, params, query: { timezone, from, days } }) =>
        database.read(caller, async () => {
          const link = await readActiveLink(caller.owner, params.id)
          requireTimezone(timezone)
          return readOffered({ link, timezone, now: now(), from, days })
        }),
      book: async ({ caller, params, body, request }) => {
        const { booked, link } = await bookTime(services, caller, { link: params.id, body, address: request.ip })
        return { ...booked, address: bookedAddress(services, link, booked.id, body.timezone) }
      },
      wait: async ({ caller, params, body, request }) => {
        const id = await waitForTime(services, caller, { link: params.id, body, address: request.ip })
        const link = await database.read(caller, () => readActiveLink(caller.owner, params.id))
        return { address: waitingAddress(services, link, id, body.timezone) }
      },
      stopWaiting: async ({ caller, params }) =>
        void (await stopWaiting(services, caller, readReference(context, 'wait', params.token).id)),
      cancel: async ({ caller, params }) => ({
        state: await cancelBooking(services, caller, readReference(context, 'cancel', params.token)),
      }),
      move: async ({ caller, params, body }) => ({
        state: await moveBooking(services, caller, readReference(context, 'move', params.token), body),
      }),
    })
  },
  jobs: (context) => [handleNoticeJobs(context), handleWaitJobs(context)],
  schedules: (tableOwner, now) => [
    { name: 'old booking notices', everySeconds: 24 * 60 * 60, run: () => deleteOldNotices(tableOwner, now()) },
    { name: 'zone rules', everySeconds: 60 * 60, run: () => noteZoneChanges(tableOwner, now()) },
    { name: 'booking waits', everySeconds: 15 * 60, run: () => enqueueWaits(tableOwner, now()) },
  ],
  publicPages: [bookPage, cancelPage, movePage, stopWaitingPage],
  webScreens: [{ path: '/bookings/calendar', module: 'web/bookings/CalendarPage.tsx' }],
}

async function readActiveLink(owner: string, id: string): Promise<PublicLink> {
  const link = await readPublicLink(owner, id)
  if (!link?.is_active) throw new Refusal('not_found')
  return link
}

/** The identity of a visitor of a booking link, who acts in the workspace of its owner; undefined for other pages and unknown links. */
async function findVisitorOfLink(database: Database, request: FastifyRequest): Promise<RequestIdentity | undefined> {
  if (!request.routeOptions.url?.startsWith('/api/public/booking-links/')) return undefined
  const { success, data } = z.safeParse(z.object({ id: z.uuid() }), request.params)
  const owner = success ? await findLinkOwner(database, visitorOf(request), data.id) : undefined
  return owner === undefined ? undefined : visitorOfOwner(owner)
}

/** Returns the booking of a token. Throws `not_found` for a token that was altered or is for something else. */
function readReference({ secret, now }: Pick<AppContext, 'secret' | 'now'>, purpose: TokenPurpose, token: string): BookingReference {
  const reference = readBookingToken(secret, purpose, token, now())
  if (!reference) throw new Refusal('not_found')
  return reference
}

const purposesByPath = new Map<string, TokenPurpose>([
  ['/api/public/booking-changes/:token/cancel', 'cancel'],
  ['/api/public/booking-changes/:token/move', 'move'],
  ['/api/public/booking-waits/:token/stop', 'wait'],
])

/** The identity of a visitor with the link of a mail; undefined for other pages and unknown links. */
function findVisitorOfBooking(context: AppContext, request: FastifyRequest): RequestIdentity | undefined {
  const purpose = purposesByPath.get(request.routeOptions.url ?? '')
  const { data } = z.safeParse(z.object({ token: z.string() }), request.params)
  if (!purpose || !data) return undefined
  const reference = readBookingToken(context.secret, purpose, data.token, context.now())
  return reference && visitorOfOwner(reference.owner)
}
