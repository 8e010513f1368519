// Books a time for a visitor.
import { isDeepStrictEqual } from 'node:util'
import type { Booking } from '#contract/bookings.ts'
import { NewVisit, type SentVisit } from '#contract/publicBookings.ts'
import { readOwnerEmail } from '#server/accounts/accounts.ts'
import { isOfferedWhenFree } from '#server/booking-links/booking-links.ts'
import { planContacts } from '#server/contacts/contacts.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { unmetReason } from '#server/platform/database/requirement.ts'
import { constraintName } from '#server/platform/error-code.ts'
import { checkInput } from '#server/platform/http/check.ts'
import { toRefusal } from '#server/platform/http/problem.ts'
import { isPageUsed, type Visit } from '#server/platform/http/visitors/visitors.ts'
import { updateRecord, type RecordPatch } from '#server/platform/records/verbs.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { requireTimezone } from '#server/platform/time/zones.ts'
import { bookings, overlapConstraint } from '../kind.ts'
import { readAnswers } from './answers.ts'
import { toVisitorError } from './conditions.ts'
import { readPublicLink, type PublicLink } from './links.store.ts'
import { readNearest } from './offered.ts'
import {
  findByPageToken,
  toContact,
  writeVisit,
  type Booked,
  type EarlierBooking,
  type PlannedContact,
  type VisitServices,
} from './write-visit.ts'

/** The kind of the page tokens of booking links. */
export const bookingPageKind = 'booking link'

/** Checks what a visitor has sent. Throws `invalid` with a message for each wrong field, and for each wrong answer to a question. */
export async function checkVisit({ database }: VisitServices, caller: Caller, linkId: string, body: SentVisit): Promise<NewVisit> {
  try {
    return checkInput(NewVisit, body)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const link = await database.read(caller, () => readPublicLink(caller.owner, linkId))
    const messages = link ? listMessages(() => readAnswers(link, body)) : {}
    throw new Refusal('invalid', { fields: { ...error.extras.fields, ...messages } })
  }
}

/** Returns the messages with which the check refuses fields. */
function listMessages(check: () => unknown): Record<string, string> {
  try {
    check()
    return {}
  } catch (error) {
    if (error instanceof Refusal && error.extras.fields) return error.extras.fields
    throw error
  }
}

/** `ip`: the address of the visitor. */
type BookRequest = { linkId: string; body: NewVisit; ip: string }

/** The maximum number of attempts, if the link or the contact changes between the read and the write. */
const maxAttempts = 5

/**
 * Books a time, and finds or adds the contact of the visitor. Returns the booking, and the link as it was before. A page that is sent
 * again gets the same booking. Throws `not_found` for a missing or inactive link, `slot_taken` with the nearest free times, `invalid`, and
 * the errors of `Visitors`.
 *
 * Everything is read and checked first, without a lock. One batch then writes the booking, or nothing if something has changed since. So
 * the visitors of an owner wait for each other only while PostgreSQL runs the end of this batch.
 */
export async function bookTime(
  services: VisitServices,
  caller: Caller,
  { linkId, body, ip }: BookRequest,
): Promise<{ booked: Booked; link: PublicLink }> {
  const { visitors, now } = services
  const { owner } = caller
  let visit: Visit | undefined
  for (let attempt = 1; ; attempt++) {
    const { link, earlier, contact, ownerEmail } = await readInputs(services, caller, linkId, body)
    if (earlier) {
      await visitors.countRepeat(ip)
      return { booked: await acceptEarlier(services, caller, { earlier, link, body }), link }
    }
    if (caller.request?.changeId !== undefined) throw new Refusal('not_found') // a repeated request whose booking was deleted since
    requireTimezone(body.timezone)
    const answers = readAnswers(link, body)
    visit ??= await visitors.check({ owner, kind: bookingPageKind, id: linkId }, { ...body, ip, email: body.email })
    if (visit.suspicion) throw new Refusal('visit_refused')
    requireOfferedTime(link, body, now())
    try {
      return { booked: await writeVisit(services, caller, { link, body, answers, ownerEmail, contact, visit }), link }
    } catch (caught) {
      const error = toVisitorError(caught)
      if (isTaken(error)) throw new Refusal('slot_taken', { nearest: await readNearestOf(services, caller, link, body) }, error)
      if (isPageUsed(error)) return { booked: await readConcurrentBooking(services, caller, link, body), link }
      if (unmetReason(error) === undefined) throw error
      if (attempt === maxAttempts) throw new Refusal('overloaded', {}, error)
    }
  }
}

/** Throws `invalid` for a time that the link does not offer. */
function requireOfferedTime(link: PublicLink, { start_time: start, timezone }: NewVisit, now: Date): void {
  const request = { rules: link, ownerZone: link.owner_timezone, visitorZone: timezone, now }
  if (isOfferedWhenFree(request, Date.parse(start))) return
  throw new Refusal('invalid', { fields: { start_time: 'This time is not offered. Please choose another.' } })
}

/** The rows that are read before a booking. `earlier` is the booking that the same page has made. */
type Inputs = {
  link: PublicLink
  earlier: EarlierBooking | undefined
  ownerEmail: string
  contact: PlannedContact
}

async function readInputs({ database, now }: VisitServices, caller: Caller, linkId: string, body: NewVisit): Promise<Inputs> {
  const { owner } = caller
  const [link, earlier, ownerEmail, contact] = await database.read(caller, () =>
    Promise.all([
      readPublicLink(owner, linkId),
      findByPageToken(owner, linkId, body.page_token),
      readOwnerEmail(owner),
      planContacts(owner, [toContact(body, now())], 'fill'),
    ]),
  )
  if (!link || (!link.is_active && !earlier)) throw new Refusal('not_found') // an inactive link still confirms its bookings
  return { link, earlier, ownerEmail, contact }
}

const readNearestOf = ({ database, now }: VisitServices, caller: Caller, link: PublicLink, { timezone, start_time: start }: NewVisit) =>
  database.read(caller, () => readNearest({ link, timezone, now: now() }, Date.parse(start)))

type RepeatedVisit = { earlier: EarlierBooking; link: PublicLink; body: NewVisit }

/**
 * Returns the booking that the same page has made before, with the visitor's corrections. Visitors send a page again when its first
 * response was lost. Throws `visit_refused` if the page was sent again with another time or email, or if the booking was cancelled since.
 */
async function acceptEarlier(services: VisitServices, caller: Caller, { earlier, link, body }: RepeatedVisit): Promise<Booked> {
  const { id, start_time, end_time, attendee_email: email, status, version } = earlier
  // a request with the same Idempotency-Key is a repetition, even if the owner has changed the time or the email since
  const isRepeated = caller.request?.changeId !== undefined
  const isSame = isRepeated || (Date.parse(start_time) === Date.parse(body.start_time) && email === body.email)
  if (!isSame || status === 'cancelled') throw new Refusal('visit_refused')
  // a repeated request corrects nothing, and once the booking was changed, a repeated form overwrites nothing
  const corrections = version === 1 && !isRepeated ? listCorrections(earlier, link, body) : {}
  if (Object.keys(corrections).length > 0) await storeCorrections(services, caller, id, { ...corrections, version })
  return { id, start_time, end_time }
}

/** Stores corrections, unless the owner changes the same fields meanwhile, or has no space. The booking is stored in any case. */
async function storeCorrections(services: VisitServices, caller: Caller, id: string, patch: RecordPatch): Promise<void> {
  try {
    await updateRecord<Booking>(services, caller, bookings, id, patch)
  } catch (error) {
    const { code } = toRefusal(error)
    if (code !== 'conflict' && code !== 'record_quota_exceeded') throw error
  }
}

/** Returns the fields of the booking that the visitor has corrected. */
function listCorrections(earlier: EarlierBooking, link: PublicLink, body: NewVisit): Partial<Booking> {
  const answers = findAnswers(link, body)
  return {
    ...(body.name !== earlier.attendee_name && { attendee_name: body.name }),
    ...(body.phone !== earlier.attendee_phone && { attendee_phone: body.phone }),
    ...(body.notes !== earlier.notes && { notes: body.notes }),
    ...(answers !== null && !isDeepStrictEqual(answers, earlier.answers) && { answers }),
  }
}

/** Returns the answers in the form; null if the owner has changed the questions since, so that the form does not answer them. */
function findAnswers(link: PublicLink, body: NewVisit): Booking['answers'] {
  try {
    return readAnswers(link, body)
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}

/** Returns the booking that another request of the same page has just made. Throws `visit_refused` if the page was used otherwise. */
async function readConcurrentBooking(services: VisitServices, caller: Caller, link: PublicLink, body: NewVisit): Promise<Booked> {
  const earlier = await services.database.read(caller, () => findByPageToken(caller.owner, link.id, body.page_token))
  if (!earlier) throw new Refusal('visit_refused')
  return acceptEarlier(services, caller, { earlier, link, body })
}

/** Whether the error means that the time is taken: by a booking, by another calendar or by the limit of the day. */
export const isTaken = (error: unknown): boolean =>
  error instanceof Refusal && (error.code === 'slot_taken' || constraintName(error.cause) === overlapConstraint)
