// The pages to which the links in mails lead: `/booking/cancel/{token}` and `/booking/move/{token}`. Opening them changes nothing, because
// programs that check mails open every link; only sending their form does.
import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { emptyBookingLink } from '#contract/bookingLinks.ts'
import type { BookingChangeContent } from '#contract/pages.ts'
import type { ChangeState } from '#contract/publicBookings.ts'
import { readChosenStart } from '#contract/visitorForms.ts'
import { textsOf } from '#server/platform/http/page-entries.ts'
import { definePublicPage, type PageServices, type SentForm } from '#server/platform/http/public-pages.ts'
import { visitorOfOwner } from '#server/platform/http/visitor.ts'
import { toLocalTime } from '#server/platform/time/local-time.ts'
import { isTimezone } from '#server/platform/time/zones.ts'
import { changeAddress } from './booked.ts'
import { moveStateOf, readVisitorBooking, stateOf, type VisitorBooking } from './change.ts'
import { readChoice, toPageProblem } from './choice.ts'
import { formatCutoff } from './cutoff.ts'
import { formatTimezone, formatWhen } from './offered.ts'
import { readBookingToken } from './tokens.ts'

type Purpose = 'cancel' | 'move'

const files = { style: 'web/public/book/book.css', script: 'web/public/book/book.ts' }
const maxBytes = 16 * 1024
const statusOf = (content: BookingChangeContent): number => (content.kind === 'unknown' ? 404 : content.problem ? 422 : 200)
const apiUrlOf = (request: FastifyRequest, purpose: Purpose) =>
  `/api/public/booking-changes/${encodeURIComponent(tokenOf(request))}/${purpose}` as const
const pathOf = (request: FastifyRequest, purpose: Purpose): string => `/booking/${purpose}/${tokenOf(request)}`
const tokenOf = (request: FastifyRequest): string => textsOf(request.params)['token'] ?? ''

export const cancelPage = definePublicPage({
  name: 'cancelBooking',
  path: '/booking/cancel/{token}',
  files,
  statusOf,
  loadContent: (request, services, sent) => loadContent(request, services, 'cancel', sent),
  forms: {
    maxBytes,
    toCall: async (_form, request) => ({ url: apiUrlOf(request, 'cancel'), key: randomUUID(), body: {} }),
    findOutcomeAddress: (_sentForm, request) => `${pathOf(request, 'cancel')}?cancelled=yes`,
  },
})

export const movePage = definePublicPage({
  name: 'moveBooking',
  path: '/booking/move/{token}',
  files,
  statusOf,
  loadContent: (request, services, sent) => loadContent(request, services, 'move', sent),
  forms: {
    maxBytes,
    toCall: async (form, request) => {
      const { timezone = '', booked_start } = textsOf(form)
      return { url: apiUrlOf(request, 'move'), key: randomUUID(), body: { start_time: readChosenStart(form), timezone, booked_start } }
    },
    findOutcomeAddress: (sentForm, request) => {
      if (hasChosenBookedTime(sentForm)) return undefined
      return `${pathOf(request, 'move')}?${new URLSearchParams({ moved_to: readChosenStart(sentForm.form) }).toString()}`
    },
  },
})

async function loadContent(
  request: FastifyRequest,
  services: PageServices,
  kind: Purpose,
  sent: SentForm | undefined,
): Promise<BookingChangeContent> {
  const { installationKey, now, address } = services
  const reference = readBookingToken(installationKey, kind, tokenOf(request), now())
  const found = reference && (await readVisitorBooking(services, reference))
  if (!found) return { kind: 'unknown' }
  const { booking, link } = found
  const start = Date.parse(booking.start_time)
  const state = findState(kind, found, textsOf(request.query), now())
  return {
    kind,
    state,
    path: pathOf(request, kind),
    booking: {
      title: booking.title,
      when: formatWhen(booking.timezone, start, Date.parse(booking.end_time)),
      timezone_label: formatTimezone(booking.timezone, start),
      color: link?.color ?? emptyBookingLink.color,
    },
    owner_name: link?.owner_name ?? '',
    cutoff: formatCutoff(link?.cutoff_minutes ?? 0),
    move: kind === 'move' && state === 'open' ? await readMove(request, services, found, sent) : null,
    book_url: link?.is_active ? `${address}/book/${link.slug}` : '',
    ...findChangeAddresses(services, { kind, state }, reference.owner, found),
    problem: sent && !sent.problem && hasChosenBookedTime(sent) ? bookedTimeProblem : toPageProblem(sent),
    sends_mail: services.sendsMail,
  }
}

/**
 * Returns the pages that move and cancel a booking, for the page that has moved it, or says why it cannot be moved. Without a mail the
 * visitor has no other links.
 */
function findChangeAddresses(
  services: PageServices,
  { kind, state }: { kind: Purpose; state: ChangeState },
  owner: string,
  found: VisitorBooking,
): { move_url: string; cancel_url: string } {
  const isShown = kind === 'move' && state !== 'open'
  const addressOf = (purpose: Purpose): string => changeAddress(services, purpose, owner, found.booking)
  return {
    move_url: isShown && moveStateOf(found, services.now()) === 'open' ? addressOf('move') : '',
    cancel_url: isShown && stateOf(found, services.now()) === 'open' ? addressOf('cancel') : '',
  }
}

/** Returns the state that the page shows: `done` at the address to which a sent form redirects, also if an earlier form made the change. */
function findState(kind: Purpose, found: VisitorBooking, query: Readonly<Record<string, string>>, now: Date): ChangeState {
  if (kind === 'cancel') {
    const state = stateOf(found, now)
    return state === 'cancelled' && 'cancelled' in query ? 'done' : state
  }
  const { status, start_time: start } = found.booking
  return status === 'confirmed' && Date.parse(query['moved_to'] ?? '') === Date.parse(start) ? 'done' : moveStateOf(found, now)
}

const bookedTimeProblem = {
  message: '',
  fields: { start_time: 'This is the time of your booking already. Choose another time.' },
  nearest: [],
}

/** Whether the visitor has chosen the time that the booking had when the page was opened. */
function hasChosenBookedTime(sent: SentForm): boolean {
  const { start_time: chosen = '', booked_start: before = '' } = textsOf(sent.form)
  return Date.parse(chosen) === Date.parse(before)
}

/**
 * Reads the times to which the booking can be moved: those of the day that the visitor has chosen, or else of the day of the booking. If
 * the day of the booking has no free times, reads those of the first day that has some.
 */
async function readMove(
  request: FastifyRequest,
  { database, now }: PageServices,
  { booking, link }: VisitorBooking,
  sent: SentForm | undefined,
) {
  if (!link) return null
  const chosen = { timezone: booking.timezone, ...textsOf(sent ? sent.form : request.query) }
  const start = Date.parse(booking.start_time)
  const bookedStart = new Date(start).toISOString()
  const { date } = toLocalTime(isTimezone(chosen.timezone) ? chosen.timezone : link.owner_timezone, start)
  const choice = await database.read(visitorOfOwner(link.owner), async () => {
    const shared = { link, now: now(), exceptBooking: booking.id }
    const ofDay = await readChoice({ ...shared, chosen: { date, start_time: bookedStart, ...chosen } })
    return ofDay.times.length > 0 || 'date' in chosen ? ofDay : readChoice({ ...shared, chosen })
  })
  return { link_id: link.id, choice, booked_start: bookedStart }
}
