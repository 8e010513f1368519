// Writes the booking of a visitor.
import { createHash, randomBytes } from 'node:crypto'
import type { Booking } from '#contract/bookings.ts'
import type { NewVisit } from '#contract/publicBookings.ts'
import type { planContacts } from '#server/contacts/contacts.ts'
import { splitFullName } from '#server/imports/imports.ts'
import { sql, type Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { addMails } from '#server/outbox/outbox.ts'
import type { Visit, Visitors } from '#server/platform/http/visitors/visitors.ts'
import { withFieldErrors } from '#server/platform/records/rows.ts'
import { createRecord } from '#server/platform/records/verbs.ts'
import { bookings } from '../kind.ts'
import { lockOwner, type PublicLink } from './links.store.ts'
import { composeFirstMails, type MailServices } from './mails.ts'
import { storeNotice } from './notices.store.ts'
import { endOf } from './offered.ts'
import { requireConditions } from './conditions.ts'

export type VisitServices = MailServices & { database: Database; visitors: Visitors }

/** The part of a booking that the response to its visitor contains. */
export type Booked = Pick<Booking, 'id' | 'start_time' | 'end_time'>

const requestKeyOf = (pageToken: string): string => createHash('sha256').update(pageToken).digest('base64url')

export type EarlierBooking = Booked &
  Pick<Booking, 'attendee_name' | 'attendee_email' | 'attendee_phone' | 'notes' | 'answers' | 'status' | 'version'>

/** Finds the booking that a page of a link has made; undefined if it has made none. */
export async function findByPageToken(owner: string, linkId: string, pageToken: string): Promise<EarlierBooking | undefined> {
  const [earlier] = await sql<EarlierBooking>(
    `select id, start_time, end_time, attendee_name, attendee_email, attendee_phone, notes, answers, status, version
     from bookings where user_id = $1 and booking_link_id = $2 and request_key = $3`,
    [owner, linkId, requestKeyOf(pageToken)],
  )
  return earlier
}

export type PlannedContact = Awaited<ReturnType<typeof planContacts>>

type AcceptedVisit = {
  link: PublicLink
  body: NewVisit
  answers: Booking['answers']
  ownerEmail: string
  contact: PlannedContact
  visit: Visit
}

/**
 * Writes the booking, its contact and its mails in one batch, or nothing. The owner is locked only before the last statements, so visitors
 * of one owner wait for each other only briefly. Without the lock the constraint of the table would also refuse two bookings at one time,
 * but with deadlocks between many visitors. Throws `invalid` with the violated constraint as the cause, and the errors of `requireTrue`.
 */
export function writeVisit(services: VisitServices, caller: Caller, accepted: AcceptedVisit): Promise<Booked> {
  const { link, body, ownerEmail, contact, visit } = accepted
  const booking = toBooking(accepted)
  const mails = composeFirstMails(services, { link, booking, ownerEmail })
  const write = async (): Promise<Booked> => {
    // the statements are sent in this order
    const before = [
      contact.write(),
      visit.use(),
      addMails(services.mail, link.owner, mails),
      lockOwner(link.owner),
      requireConditions(link, body, services.now()),
    ]
    const created = createRecord<Booking>(services, caller, bookings, booking)
    await Promise.all([...before, created, storeNotice(link.owner, { ...booking, status: 'confirmed' })])
    return created
  }
  return withFieldErrors(bookings, () => services.database.batch(caller, 'Booked a time', write))
}

function toBooking({
  link,
  body,
  answers,
  contact: {
    results: [result],
  },
}: AcceptedVisit) {
  const start = Date.parse(body.start_time)
  return {
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
    contact_id: result && 'id' in result ? result.id : null,
    buffer_before_minutes: link.buffer_before_minutes,
    buffer_after_minutes: link.buffer_after_minutes,
    request_key: requestKeyOf(body.page_token),
    answers,
  }
}

const maxNameLength = 100

/** Returns the contact of a visitor for `planContacts`. */
export function toContact({ name, email, phone }: NewVisit, at: Date) {
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
