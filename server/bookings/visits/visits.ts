// The routes for visitors, and their identities: a visitor acts in the workspace of the owner of the page.
import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { maxOfferedTimes, publicBookingRoutes } from '#contract/publicBookings.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import type { RequestIdentity } from '#server/platform/http/identity.ts'
import { mount, type Router } from '#server/platform/http/mount.ts'
import { createPageVisitorFinder } from '#server/platform/http/page-owners.ts'
import { visitorOfOwner } from '#server/platform/http/visitor.ts'
import { writeForVisitor } from '#server/platform/http/visitors/full-account.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { requireTimezone } from '#server/platform/time/zones.ts'
import { bookedAddress } from './booked.ts'
import { bookTime, checkVisit } from './book.ts'
import { cancelBooking, moveBooking, readVisitorBooking } from './change.ts'
import { readPublicLink } from './links.store.ts'
import { contactOf, readMailDetails } from './mails.ts'
import { readOfferedOrOther } from './offered.ts'
import { readBookingToken, readStopToken } from './tokens.ts'
import { stopWaiting, waitForTime } from './wait.ts'
import { waitingAddress } from './waiting.ts'

/** Mounts the routes with which visitors book, wait, cancel and move. */
export function mountVisits(router: Router, context: AppContext): void {
  const { database, mail, now, installationKey, settings } = context
  router.finders.visitor.push(createPageVisitorFinder(database, '/api/public/booking-links/', 'app.booking_link_owner'), async (request) =>
    findVisitorOfBooking(context, request),
  )
  const services = { database, mail, now, installationKey, address: settings.address, visitors: router.visitors }
  /** Runs a write of a visitor. `problem`: what the visitor cannot do while there is no space. */
  const write = <T>(
    { caller, request }: { caller: Caller; request: FastifyRequest },
    problem: string,
    run: () => Promise<T>,
  ): Promise<T> => {
    const describe = async (): Promise<string> => {
      const { owner_name: name } = await database.read(caller, () => readMailDetails(caller.owner, undefined))
      return `${problem} at the moment. Please contact ${contactOf(name)} another way.`
    }
    return writeForVisitor({ caller, request, describe }, run)
  }
  mount(router, publicBookingRoutes, {
    times: async ({ caller, params, query: { timezone, from, days, move = '' } }) => {
      const reference = readBookingToken(installationKey, 'move', move, now())
      const bookingToMove = reference?.owner === caller.owner ? await readVisitorBooking(services, reference) : undefined
      return database.read(caller, async () => {
        const link = await readPublicLink(caller.owner, params.id)
        if (!link?.is_active) throw new Refusal('not_found')
        requireTimezone(timezone)
        return readOfferedOrOther({
          link,
          timezone,
          now: now(),
          from,
          days,
          maxTimes: maxOfferedTimes,
          exceptBooking: bookingToMove?.booking.id,
        })
      })
    },
    book: async ({ caller, params, body: sent, request }) => {
      const body = await checkVisit(services, caller, params.id, sent)
      const { booked, link } = await write({ caller, request }, 'This page cannot take bookings', () =>
        bookTime(services, caller, { linkId: params.id, body, ip: request.ip }),
      )
      return { ...booked, address: bookedAddress(services, link, { id: booked.id, attendee_email: body.email, timezone: body.timezone }) }
    },
    wait: async ({ caller, params, body, request }) => {
      const { id, link } = await write({ caller, request }, 'This page cannot take bookings', () =>
        waitForTime(services, caller, { linkId: params.id, body, ip: request.ip }),
      )
      return { address: waitingAddress(services, link, id, body.timezone) }
    },
    stopWaiting: async ({ caller, params }) =>
      void (await stopWaiting(services, caller, requireFound(readStopToken(installationKey, params.token, now())))),
    cancel: ({ caller, params, request }) =>
      write({ caller, request }, 'This booking cannot be changed', async () => ({
        state: await cancelBooking(services, caller, requireFound(readBookingToken(installationKey, 'cancel', params.token, now()))),
      })),
    move: ({ caller, params, body, request }) =>
      write({ caller, request }, 'This booking cannot be changed', async () => ({
        state: await moveBooking(services, caller, requireFound(readBookingToken(installationKey, 'move', params.token, now())), body),
      })),
  })
}

/** Returns the reference of a token. Throws `not_found` for a token that was altered or is for something else. */
function requireFound<T>(reference: T | undefined): T {
  if (!reference) throw new Refusal('not_found')
  return reference
}

const tokenReadersByPath = new Map<string, (installationKey: string, token: string, now: Date) => { owner: string } | undefined>([
  ['/api/public/booking-changes/:token/cancel', (installationKey, token, now) => readBookingToken(installationKey, 'cancel', token, now)],
  ['/api/public/booking-changes/:token/move', (installationKey, token, now) => readBookingToken(installationKey, 'move', token, now)],
  ['/api/public/booking-waits/:token/stop', readStopToken],
])

/** Returns the identity of a visitor with the link of a mail or a page; undefined for other routes and for invalid links. */
function findVisitorOfBooking(context: AppContext, request: FastifyRequest): RequestIdentity | undefined {
  const read = tokenReadersByPath.get(request.routeOptions.url ?? '')
  const { data } = z.safeParse(z.object({ token: z.string() }), request.params)
  if (!read || !data) return undefined
  const reference = read(context.installationKey, data.token, context.now())
  return reference && visitorOfOwner(reference.owner)
}
