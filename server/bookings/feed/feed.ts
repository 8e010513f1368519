// The feed: other calendars read the bookings of an owner at a secret address.
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { calendarFeedRoutes, publicCalendarFeedRoutes, type CalendarFeed } from '#contract/calendarFeed.ts'
import type { StoredFile } from '#contract/route.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import type { RequestIdentity } from '#server/platform/http/identity.ts'
import { mount, type Router } from '#server/platform/http/mount.ts'
import { visitorOfOwner } from '#server/platform/http/visitor.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { createSigner } from '#server/platform/security/signer.ts'
import { createFeedFile } from './feed-file.ts'
import * as store from './feed.store.ts'

type Services = Pick<AppContext, 'database' | 'now' | 'installationKey' | 'settings'>

/** Bookings that ended longer ago than this are left out. */
const shownPastMs = 90 * 24 * 60 * 60_000

export function mountFeed(router: Router, context: Services): void {
  const { database } = context
  mount(router, calendarFeedRoutes, {
    get: ({ caller }) => database.read(caller, () => readFeed(context, caller.owner)),
    renew: async ({ caller }) => {
      const feedId = await database.transaction(caller, '', () => store.replaceFeed(caller.owner))
      return { address: addressOf(context, caller.owner, feedId) }
    },
    delete: ({ caller }) => database.transaction(caller, '', () => store.deleteFeed(caller.owner)),
  })
  router.finders.visitor.push(async (request) => findIdentity(context, request))
  mount(router, publicCalendarFeedRoutes, { read: ({ caller, params }) => createFile(context, caller, params.token) })
}

async function readFeed(services: Services, owner: string): Promise<CalendarFeed> {
  const feedId = await store.findFeedId(owner)
  return { address: feedId === undefined ? null : addressOf(services, owner, feedId) }
}

/** Some calendars accept only addresses that end in `.ics`. */
const addressOf = ({ installationKey, settings }: Services, owner: string, feedId: string): string =>
  `${settings.address}/api/public/calendar-feeds/${createFeedSigner(installationKey).sign(`${owner} ${feedId}`, expiresAt)}.ics`

/** An address works as long as its row exists. The fixed time gives one row the same address every time. */
const expiresAt = new Date('2999-12-31')
const createFeedSigner = (installationKey: string) => createSigner(installationKey, 'calendar feed')
const Content = z.tuple([z.uuid(), z.uuid()])

/** Returns the owner and the feed id in a token; undefined for a token that was altered. */
function readToken({ installationKey, now }: Services, token: string): { owner: string; feedId: string } | undefined {
  const verified = createFeedSigner(installationKey).verify(token.replace(/\.ics$/, ''), now())
  if (typeof verified === 'string') return undefined
  const { data } = z.safeParse(Content, verified.text.split(' '))
  return data && { owner: data[0], feedId: data[1] }
}

function findIdentity(services: Services, request: FastifyRequest): RequestIdentity | undefined {
  if (request.routeOptions.url !== '/api/public/calendar-feeds/:token') return undefined
  const { data } = z.safeParse(z.object({ token: z.string() }), request.params)
  const found = data && readToken(services, data.token)
  return found && visitorOfOwner(found.owner)
}

/** Returns the calendar file of an address. Throws `not_found` for an address that was altered, replaced or turned off. */
async function createFile(services: Services, caller: Caller, token: string): Promise<StoredFile> {
  const { database, now, settings } = services
  const { owner } = caller
  const time = now()
  const from = new Date(time.getTime() - shownPastMs)
  const [feedId, bookings] = await database.read(caller, () =>
    Promise.all([store.findFeedId(owner), store.readFeedBookings(owner, from, time)]),
  )
  if (feedId === undefined || readToken(services, token)?.feedId !== feedId) throw new Refusal('not_found')
  const bytes = Buffer.from(createFeedFile(bookings, settings.address))
  return {
    name: 'foyer-bookings.ics',
    type: 'text/calendar; charset=utf-8',
    size: bytes.byteLength,
    etag: createHash('sha256').update(bytes).digest('base64url'),
    disposition: 'inline',
    read: ({ start, end }) => readBytes(bytes.subarray(start, end + 1)),
  }
}

async function* readBytes(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
