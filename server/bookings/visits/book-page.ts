// The public page of a booking link, `/book/{slug}`.
import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Booking } from '#contract/bookings.ts'
import type { BookContent } from '#contract/pages.ts'
import { visitFields } from '#contract/publicBookings.ts'
import { fieldPrefix, trapFieldName } from '#contract/visitorForms.ts'
import { readFieldTexts, readFieldValues, textsOf } from '#server/platform/http/page-entries.ts'
import { defineSharedPage, type FormCall, type OpenedVisit, type PageServices, type SentForm } from '#server/platform/http/public-pages.ts'
import { visitorOf, visitorOfOwner } from '#server/platform/http/visitor.ts'
import { bookingPageKind, findByPageToken } from './book.ts'
import { readVisitorBooking } from './change.ts'
import { readChoice, toPageProblem } from './choice.ts'
import { findLinkBySlug, readPublicLink, type PublicLink } from './links.store.ts'
import { formatWhen } from './offered.ts'
import { readBookingToken, signBooking, type BookingReference } from './tokens.ts'
import { formatDays } from './wait.ts'
import { findSentWait, findWait, type Wait } from './waits.store.ts'

/** The page of a booking link, which other websites may show in a frame. */
export const bookPage = defineSharedPage({
  name: 'book',
  path: '/book/{slug}',
  files: { style: 'web/public/book/book.css', script: 'web/public/book/book.ts' },
  policy: { frameAncestors: ['*'] },
  statusOf: (content) => (content.kind === 'missing' ? 404 : content.problem ? 422 : 200),
  loadShared,
  forms: { maxBytes: 256 * 1024, toCall },
})

type LoadedLink = { content: BookContent; owner?: string; visit?: OpenedVisit }

async function loadShared(request: FastifyRequest, services: PageServices, sent?: SentForm): Promise<LoadedLink> {
  const { address, secret } = services
  const query = textsOf(request.query)
  const page = await readPage(request, services, query, sent)
  if (!page) return { content: { kind: 'missing' } }
  const { link, choice, booked, waiting } = page
  const { owner, id, slug, title, description, color, duration_minutes, owner_name } = link
  const { name = '', email = '', phone = '', notes = '', start_time = '' } = booked ? {} : sent ? textsOf(sent.form) : query
  const content: BookContent = {
    kind: 'link',
    url: `${address}/book/${slug}`,
    path: `/book/${slug}`,
    link: { id, slug, title, description, color, duration_minutes },
    owner_name,
    choice: { ...choice, start_time },
    values: { name, email, phone, notes },
    questions: link.questions?.fields ?? [],
    answers: booked ? {} : sent ? readFieldTexts(sent.form) : readAddressAnswers(link, request.query),
    problem: toPageProblem(sent),
    sends_mail: services.sendsMail,
    booked: booked && toBooked(secret, address, booked),
    waiting: waiting && toWaiting(secret, address, link.owner, waiting),
  }
  return { content, owner, visit: { page: { owner, kind: bookingPageKind, id } } }
}

/** Reads what the page shows: the link, the times, and the booking that was just made. Undefined for a missing or inactive link. */
async function readPage(
  request: FastifyRequest,
  services: PageServices,
  query: Readonly<Record<string, string>>,
  sent: SentForm | undefined,
) {
  const { database, now, secret } = services
  const link = await findActiveLink(request, services)
  if (!link) return undefined
  const reference = sent
    ? await findSentBooking(services, link.owner, sent)
    : readBookingToken(secret, 'booked', query['booked'] ?? '', now())
  const booked = reference ? await readBooked(services, link, reference) : null
  const { timezone = '', ...others } = sent ? textsOf(sent.form) : query
  const waiting = await readWaiting(services, link, query, sent)
  const chosen = booked ? { timezone } : { timezone, ...others }
  const choice = await database.read(visitorOfOwner(link.owner), () => readChoice({ link, now: now(), chosen }))
  return { link, choice, booked, waiting }
}

async function findActiveLink(request: FastifyRequest, { database }: PageServices): Promise<PublicLink | undefined> {
  const { slug = '' } = textsOf(request.params)
  const found = await findLinkBySlug(database, visitorOf(request), slug.toLowerCase())
  const link = found && (await database.read(visitorOfOwner(found.owner), () => readPublicLink(found.owner, found.id)))
  return link?.is_active ? link : undefined
}

/** Returns the address of the page that confirms a booking. */
export const bookedAddress = ({ secret }: Pick<PageServices, 'secret'>, link: PublicLink, id: string, timezone: string): string =>
  `/book/${link.slug}?${new URLSearchParams({ timezone, booked: signBooking(secret, 'booked', { owner: link.owner, id }) }).toString()}`

/** Returns the address of the page that confirms that a visitor waits. */
export const waitingAddress = ({ secret }: Pick<PageServices, 'secret'>, link: PublicLink, id: string, timezone: string): string =>
  `/book/${link.slug}?${new URLSearchParams({ timezone, waiting: signBooking(secret, 'wait', { owner: link.owner, id }) }).toString()}`

/** Returns what the visitor waits for since the form was sent, with or without script; null if the page is not about it. */
async function readWaiting(
  { database, secret, now }: PageServices,
  { owner, id: link }: PublicLink,
  query: Readonly<Record<string, string>>,
  sent: SentForm | undefined,
): Promise<Wait | null> {
  const reference = readBookingToken(secret, 'wait', query['waiting'] ?? '', now())
  const isSent = sent !== undefined && !sent.problem && sent.form.get('action') === 'wait'
  if (!isSent && reference?.owner !== owner) return null
  const { email = '', date = '', wait_days: days } = sent ? textsOf(sent.form) : {}
  const wait = await database.read(visitorOfOwner(owner), () =>
    isSent ? findSentWait(owner, { link, email: email.trim(), date, days: Number(days) }) : findWait(owner, reference?.id ?? '', now()),
  )
  return wait?.booking_link_id === link ? wait : null
}

/** Returns what the page says to a visitor who waits. */
const toWaiting = (secret: string, address: string, owner: string, wait: Wait) => ({
  days: formatDays(wait),
  email: wait.email,
  stop_url: `${address}/booking/wait/${signBooking(secret, 'wait', { owner, id: wait.id })}`,
})

/** Returns the booking that a form without script has made; undefined if it was refused. */
async function findSentBooking(
  { database }: PageServices,
  owner: string,
  { form, problem }: SentForm,
): Promise<BookingReference | undefined> {
  if (problem || form.get('action') === 'wait') return undefined
  const found = await database.read(visitorOfOwner(owner), () => findByPageToken(owner, textsOf(form)['page_token'] ?? ''))
  return found && { owner, id: found.id }
}

type BookedReference = { reference: BookingReference; booking: Booking }

/** Returns the booking that was just made; null for one that has changed since. */
async function readBooked(services: PageServices, link: PublicLink, reference: BookingReference): Promise<BookedReference | null> {
  const found = await readVisitorBooking(services, reference)
  if (!found || found.link?.id !== link.id || found.booking.status !== 'confirmed') return null
  return { reference, booking: found.booking }
}

/** Returns what the page says about a booking that was just made. */
function toBooked(secret: string, address: string, { reference, booking }: BookedReference) {
  const urlTo = (purpose: 'cancel' | 'move'): string => `${address}/booking/${purpose}/${signBooking(secret, purpose, reference)}`
  return {
    when: formatWhen(booking.timezone, Date.parse(booking.start_time), Date.parse(booking.end_time)),
    email: booking.attendee_email,
    cancel_url: urlTo('cancel'),
    move_url: urlTo('move'),
  }
}

/** Returns the request of the API for a form that was sent without script. */
async function toCall(form: FormData): Promise<FormCall | undefined> {
  const texts = textsOf(form)
  const { link_id: id = '', page_token: token = '' } = texts
  if (!/^[0-9a-f-]{36}$/.test(id) || token === '') return undefined
  const proof = { page_token: token, without_script: true, [trapFieldName]: texts[trapFieldName] ?? '' }
  if (texts['action'] === 'wait') {
    const { date, timezone, name, email, wait_days: days } = texts
    const body = { date, timezone, name, email, days: Number(days), ...proof }
    return { url: `/api/public/booking-links/${id}/waits`, key: `page-${token.split('.')[1]}`, body }
  }
  const fields = Object.keys(visitFields).map((name) => [name, texts[name] ?? ''])
  const values = readFieldValues(form)
  return {
    url: `/api/public/booking-links/${id}/bookings`,
    // a repeated form has the same token and start
    key: `page-${createHash('sha256')
      .update(JSON.stringify([token, fields, values]))
      .digest('base64url')}`,
    body: { ...Object.fromEntries(fields), values, ...proof },
  }
}

/**
 * Returns the answers in the address: what was entered before a browser without scripts has loaded another day, and the values of hidden
 * fields, by their names.
 */
function readAddressAnswers({ questions }: PublicLink, query: unknown): Record<string, string[]> {
  const values = new Map(Object.entries(query ?? {}))
  return Object.fromEntries(
    (questions?.fields ?? []).map(({ field_name: name, field_type: type }) => {
      const value: unknown = values.get(fieldPrefix + name) ?? (type === 'hidden' ? values.get(name) : undefined)
      return [name, [value].flat().filter((each) => typeof each === 'string')]
    }),
  )
}
