// Books a time for a visitor.
import { createHash, randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Booking } from '#contract/bookings.ts'
import type { NewVisit } from '#contract/publicBookings.ts'
import { readOwnerEmail } from '#server/accounts/accounts.ts'
import { isOfferedWhenFree, type BusyTime } from '#server/booking-links/booking-links.ts'
import { prepareContacts, type StoreResult } from '#server/contacts/contacts.ts'
import { sql, type Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { constraintName } from '#server/platform/error-code.ts'
import { splitFullName } from '#server/imports/imports.ts'
import type { Visitors } from '#server/platform/http/visitors/visitors.ts'
import { createRecord } from '#server/platform/records/verbs.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { requireTimezone } from '#server/platform/time/zones.ts'
import { bookings, overlapConstraint } from '../kind.ts'
import { readAnswers } from './answers.ts'
import { readPublicLink, type PublicLink } from './links.store.ts'
import { addFirstMails, type MailServices } from './mails.ts'
import { endOf, readNearest } from './offered.ts'
import { isFreeAmong, readBusyAround } from './is-free.ts'

/** The kind of the page tokens of booking links. */
export const bookingPageKind = 'booking link'

export type VisitServices = MailServices & { database: Database; visitors: Visitors }
type Sent = { link: string; body: NewVisit; address: string }

/** What a visitor gets for a booking. */
export type Booked = Pick<Booking, 'id' | 'start_time' | 'end_time'>

/**
 * Books a time, and finds or adds the contact of the visitor. Returns the booking, and the link as it was before. The same page books once,
 * however often it is sent. Throws `not_found` for a missing or inactive link, `slot_taken` with the nearest free times, `invalid`, and the
 * errors of `Visitors`.
 */
export async function bookTime(
  services: VisitServices,
  caller: Caller,
  { link: linkId, body, address }: Sent,
): Promise<{ booked: Booked; link: PublicLink }> {
  const { database, visitors, now } = services
  const { owner } = caller
  const [link, earlier] = await database.read(caller, () =>
    Promise.all([readPublicLink(owner, linkId), findByPageToken(owner, body.page_token)]),
  )
  if (!link?.is_active) throw new Refusal('not_found')
  if (earlier) return { booked: acceptEarlier(earlier, body), link }
  if (caller.request?.changeId !== undefined) throw new Refusal('not_found') // a repeated request whose booking was deleted since
  requireTimezone(body.timezone)
  const answers = readAnswers(link, body)
  const visit = await visitors.check({ owner, kind: bookingPageKind, id: linkId }, { ...body, address, email: body.email })
  if (visit.suspicion) throw new Refusal('visit_refused')
  try {
    const booked = await database.transaction(caller, 'Booked a time', async () => {
      const contact = await prepareContacts(owner, [toContact(body, now())], 'fill')
      // sent in one round trip; those after the lock run when it is taken, so they see what was committed before. The contact is written
      // before it, so that other visitors wait less; it is rolled back if the time is not free
      const [, lockedLink, repeated, refusal, takenBefore, ownerEmail] = await Promise.all([
        contact.write(),
        lockOwner(owner, linkId),
        findByPageToken(owner, body.page_token),
        visit.use().then(() => undefined, toError),
        readTaken(link, body, now()),
        readOwnerEmail(owner),
      ])
      if (repeated) return acceptEarlier(repeated, body)
      if (refusal) throw refusal
      // what to read depends on the link, which its owner may have changed before the lock was taken
      const taken = isDeepStrictEqual(lockedLink, link) ? takenBefore : await readTaken(lockedLink, body, now())
      refuseTime(lockedLink, body, taken, now())
      return writeBooking(services, caller, { link: lockedLink, body, answers, ownerEmail, contact: contact.results[0] })
    })
    return { booked, link }
  } catch (error) {
    if (!isTaken(error)) throw error
    const start = Date.parse(body.start_time)
    const nearest = await database.read(caller, () => readNearest({ link, timezone: body.timezone, now: now() }, start))
    throw new Refusal('slot_taken', { nearest }, error)
  }
}

/**
 * Makes the bookings of visitors of one owner wait for each other until the end of the transaction, and reads the link as it is then. The
 * constraint of the table alone would also refuse two bookings at one time, but with deadlocks when many visitors want it.
 */
export async function lockOwner(owner: string, linkId: string): Promise<PublicLink> {
  const [, link] = await Promise.all([
    sql('select from profiles where user_id = $1 for no key update', [owner]),
    readPublicLink(owner, linkId),
  ])
  if (!link?.is_active) throw new Refusal('not_found')
  return link
}

/** Whether the time was free for the visitor and somebody else has booked it. */
export const isTaken = (error: unknown): boolean =>
  error instanceof Refusal && (error.code === 'slot_taken' || constraintName(error.cause) === overlapConstraint)

const requestKeyOf = (pageToken: string): string => createHash('sha256').update(pageToken).digest('base64url')

type Earlier = Booked & Pick<Booking, 'attendee_email'>

/** Finds the booking that a page has made; undefined if it has made none. */
export async function findByPageToken(owner: string, pageToken: string): Promise<Earlier | undefined> {
  const [earlier] = await sql<Earlier>(
    'select id, start_time, end_time, attendee_email from bookings where user_id = $1 and request_key = $2',
    [owner, requestKeyOf(pageToken)],
  )
  return earlier
}

/** Returns the booking that the same page has made. Throws `visit_refused` if the page was sent again with another time or email. */
function acceptEarlier({ attendee_email: email, ...booked }: Earlier, body: NewVisit): Booked {
  if (Date.parse(booked.start_time) !== Date.parse(body.start_time) || email !== body.email) throw new Refusal('visit_refused')
  return booked
}

type AcceptedVisit = {
  link: PublicLink
  body: NewVisit
  answers: Booking['answers']
  ownerEmail: string
  contact: StoreResult | undefined
}

/** Writes the booking and its mails in one round trip. */
async function writeBooking(
  services: VisitServices,
  caller: Caller,
  { link, body, answers, ownerEmail, contact }: AcceptedVisit,
): Promise<Booked> {
  const start = Date.parse(body.start_time)
  const booking = {
    id: newId(),
    title: link.title,
    start_time: new Date(start).toISOString(),
    end_time: new Date(endOf(link, start)).toISOString(),
    timezone: body.timezone,
    attendee_name: body.name,
    attendee_email: body.email,
    attendee_phone: body.phone,
    notes: body.notes,
    booking_link_id: link.id,
    contact_id: contact && 'id' in contact ? contact.id : null,
    buffer_before_minutes: link.buffer_before_minutes,
    buffer_after_minutes: link.buffer_after_minutes,
    request_key: requestKeyOf(body.page_token),
    answers,
  }
  const [created, mailed] = await Promise.allSettled([
    createRecord<Booking>(services, caller, bookings, booking),
    addFirstMails(services, { link, booking, ownerEmail }),
  ])
  if (created.status === 'rejected') throw created.reason // it makes the mails fail as well
  if (mailed.status === 'rejected') throw mailed.reason
  return created.value
}

/** What takes the time of a visitor: the busy times around it, and the number of upcoming bookings with the same email. */
type Taken = { busy: BusyTime[]; upcoming: number }

/** Reads what takes the time. Runs in the open transaction. */
async function readTaken(link: PublicLink, { start_time: start, email }: NewVisit, now: Date): Promise<Taken> {
  const [busy, upcoming] = await Promise.all([
    readBusyAround(link, Date.parse(start)),
    link.max_per_visitor === null ? 0 : countUpcoming(link, email, now),
  ])
  return { busy, upcoming }
}

/** Throws `invalid` for a time that the link does not offer, and `slot_taken` for one that is not free. */
function refuseTime(link: PublicLink, { start_time: startTime, timezone }: NewVisit, { busy, upcoming }: Taken, now: Date): void {
  const start = Date.parse(startTime)
  const request = { rules: link, ownerZone: link.owner_timezone, visitorZone: timezone, now }
  if (!isOfferedWhenFree(request, start))
    throw new Refusal('invalid', { fields: { start_time: 'This time is not offered. Please choose another.' } })
  if (!isFreeAmong(busy, link, start, request)) throw new Refusal('slot_taken')
  if (link.max_per_visitor !== null && upcoming >= link.max_per_visitor)
    throw new Refusal('invalid', {
      fields: { email: 'There are as many bookings with this email as can be made. Cancel one of them first.' },
    })
}

/** Counts the bookings by the link with this email that have not begun. */
async function countUpcoming({ owner, id }: PublicLink, email: string, now: Date): Promise<number> {
  const [row] = await sql<{ count: number }>(
    `select count(*) as count from bookings where user_id = $1 and booking_link_id = $2 and status = 'confirmed' and start_time > $3
       and lower(attendee_email) = lower($4)`,
    [owner, id, now, email],
  )
  return row?.count ?? 0
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

const maxNameLength = 100

function toContact({ name, email, phone }: NewVisit, at: Date) {
  const { first_name, last_name } = splitFullName(name)
  return {
    first_name: first_name.slice(0, maxNameLength).toWellFormed(),
    last_name: last_name.slice(0, maxNameLength).toWellFormed(),
    email,
    phone,
    lead_source: 'Web',
    external_id: `booking_${at.getTime()}_${randomBytes(6).toString('hex')}`,
  }
}
