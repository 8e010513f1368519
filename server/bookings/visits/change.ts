// Cancels and moves bookings for their visitors, who have a link for each action in the mail of the booking.
import type { Booking } from '#contract/bookings.ts'
import type { ChangeState } from '#contract/publicBookings.ts'
import { readOwnerEmail } from '#server/accounts/accounts.ts'
import { isOfferedWhenFree } from '#server/booking-links/booking-links.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { visitorOfOwner } from '#server/platform/http/visitor.ts'
import { readRecord } from '#server/platform/records/rows.ts'
import { updateRecord } from '#server/platform/records/verbs.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { requireTimezone } from '#server/platform/time/zones.ts'
import { bookings } from '../kind.ts'
import { isTaken } from './book.ts'
import { isPastCutoff } from './cutoff.ts'
import { isFree } from './is-free.ts'
import { lockOwner, readPublicLink, type PublicLink } from './links.store.ts'
import { addChangeMails, readMailDetails } from './mails.ts'
import { readLastEmail } from './notices.store.ts'
import { endOf, readNearest } from './offered.ts'
import { isForEmail, type BookingReference, type TokenReference } from './tokens.ts'
import type { VisitServices } from './write-visit.ts'

type Services = Pick<VisitServices, 'database' | 'address' | 'installationKey' | 'mail' | 'now'>

/** A booking with its link, which is undefined if it was deleted. */
export type VisitorBooking = { booking: Booking; link: PublicLink | undefined }

/**
 * Reads the booking of a link in a mail; undefined if it was deleted, or has got another email. If the owner has removed the email, the
 * returned booking has the removed one.
 */
export async function readVisitorBooking(
  { database }: Pick<Services, 'database'>,
  reference: BookingReference,
): Promise<VisitorBooking | undefined> {
  const found = await readBookingWithLink({ database }, reference)
  if (!found) return undefined
  const { owner } = reference
  const booking = await database.read(visitorOfOwner(owner), () => withVisitorEmail(owner, found.booking))
  return isForEmail(reference, booking) ? { ...found, booking } : undefined
}

/**
 * Adds the email to which the last mail about the booking was sent, if the owner has removed the email. The links of earlier visitors,
 * whose email was replaced before, stay invalid.
 */
async function withVisitorEmail(owner: string, booking: Booking): Promise<Booking> {
  return booking.attendee_email === '' ? { ...booking, attendee_email: await readLastEmail(owner, booking.id) } : booking
}

/** Reads a booking with its link; undefined if it was deleted. */
export async function readBookingWithLink(
  { database }: Pick<Services, 'database'>,
  { owner, id }: TokenReference,
): Promise<VisitorBooking | undefined> {
  try {
    return await database.read(visitorOfOwner(owner), async () => {
      const booking = await readRecord<Booking>(bookings, owner, id)
      return { booking, link: await readLinkOf(owner, booking) }
    })
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return undefined
    throw error
  }
}

const readLinkOf = async (owner: string, { booking_link_id: id }: Booking): Promise<PublicLink | undefined> =>
  id === null ? undefined : readPublicLink(owner, id)

/** Returns `open` if a visitor can cancel the booking, or else why not. */
export function stateOf({ booking, link }: VisitorBooking, now: Date): ChangeState {
  if (booking.status === 'cancelled') return 'cancelled'
  if (Date.parse(booking.start_time) <= now.getTime() || booking.status !== 'confirmed') return 'past'
  return isPastCutoff(booking.start_time, link?.cutoff_minutes ?? 0, now) ? 'late' : 'open'
}

/** Returns whether a visitor can move the booking: as `stateOf`, and `closed` if its link is inactive or deleted. */
export function moveStateOf(found: VisitorBooking, now: Date): ChangeState {
  const state = stateOf(found, now)
  return state === 'open' && !found.link?.is_active ? 'closed' : state
}

/** Cancels the booking if the visitor can, and adds the mails. A booking that is cancelled already is `done` too. */
export async function cancelBooking(services: Services, caller: Caller, reference: BookingReference): Promise<ChangeState> {
  const { owner, id } = reference
  const before = await readVisitorBooking(services, reference)
  if (!before) throw new Refusal('not_found')
  const stateBefore = stateOf(before, services.now())
  if (stateBefore !== 'open') return stateBefore === 'cancelled' ? 'done' : stateBefore
  return services.database.transaction(caller, 'Cancelled booking', async () => {
    const locked = await lockBooking(reference)
    const found = { booking: locked, link: await readLinkOf(owner, locked) }
    const state = stateOf(found, services.now())
    if (state !== 'open') return state === 'cancelled' ? 'done' : state
    const booking = await updateRecord<Booking>(services, caller, bookings, id, { status: 'cancelled' })
    await addMails(services, owner, 'cancelled', { booking, link: found.link })
    return 'done'
  })
}

/**
 * Makes other changes of the booking wait until the end of the transaction, and reads it. Throws `not_found` if it was deleted, or has got
 * another email.
 */
async function lockBooking(reference: BookingReference): Promise<Booking> {
  const { owner, id } = reference
  await sql('select from bookings where user_id = $1 and id = $2 for no key update', [owner, id])
  const booking = await readRecord<Booking>(bookings, owner, id)
  if (!isForEmail(reference, await withVisitorEmail(owner, booking))) throw new Refusal('not_found')
  return booking
}

/** `booked_start`: the start that the page has shown to the visitor, if the page sends it. */
type MoveRequest = { start_time: string; timezone: string; booked_start?: string | undefined }

/**
 * Moves the booking to another start if the visitor can. Throws `slot_taken` with the nearest free times, and `invalid` for a time that is
 * not offered; the booking then keeps its time. Throws `too_many_requests` after many mails to the same email.
 */
export async function moveBooking(
  services: Services & Pick<VisitServices, 'visitors'>,
  caller: Caller,
  reference: BookingReference,
  { start_time: startTime, timezone, booked_start: bookedStart }: MoveRequest,
): Promise<ChangeState> {
  const { owner, id } = reference
  const start = Date.parse(startTime)
  requireTimezone(timezone)
  const before = await readVisitorBooking(services, reference)
  if (!before) throw new Refusal('not_found')
  if (Date.parse(before.booking.start_time) === start && before.booking.status === 'confirmed') return 'done'
  requireSameStart(before.booking, bookedStart)
  await countMove(services, caller, before, { start, timezone })
  try {
    return await services.database.transaction(caller, 'Moved booking', async () => {
      const linkId = before.booking.booking_link_id
      const [, link] = await Promise.all([lockOwner(owner), linkId === null ? undefined : readPublicLink(owner, linkId)])
      const found = { booking: await lockBooking(reference), link }
      const state = moveStateOf(found, services.now())
      if (state !== 'open' || !link) return state
      requireSameStart(found.booking, bookedStart)
      const now = services.now()
      if (!isOffered(link, start, { timezone, now }))
        throw new Refusal('invalid', { fields: { start_time: 'This time is not offered. Please choose another.' } })
      if (!(await isFree(link, start, { visitorZone: timezone, now, exceptBooking: id }))) throw new Refusal('slot_taken')
      const times = { start_time: new Date(start).toISOString(), end_time: new Date(endOf(link, start)).toISOString() }
      const { buffer_before_minutes, buffer_after_minutes } = link // they may have changed since the booking
      const changes = { ...times, timezone, buffer_before_minutes, buffer_after_minutes }
      const booking = await updateRecord<Booking>(services, caller, bookings, id, changes)
      await addMails(services, owner, 'moved', { booking, link })
      return 'done'
    })
  } catch (error) {
    if (!isTaken(error)) throw error
    const found = await readVisitorBooking(services, reference)
    const link = found?.link
    const nearest = link
      ? await services.database.read(caller, () => readNearest({ link, timezone, now: services.now(), exceptBooking: id }, start))
      : []
    throw new Refusal('slot_taken', { nearest }, error)
  }
}

/** Throws `invalid` if the booking no longer has the start that the visitor knows: the visitor would undo a move by the owner. */
function requireSameStart({ start_time: start }: Booking, bookedStart: string | undefined): void {
  if (bookedStart === undefined || Date.parse(bookedStart) === Date.parse(start)) return
  const message = 'This booking was moved since you opened the page. Its time is above. Choose again.'
  throw new Refusal('invalid', { fields: { start_time: message } })
}

/** Whether the link offers this start, if nothing else takes it. */
const isOffered = (link: PublicLink, start: number, { timezone, now }: { timezone: string; now: Date }): boolean =>
  isOfferedWhenFree({ rules: link, ownerZone: link.owner_timezone, visitorZone: timezone, now }, start)

/**
 * Counts a move for the limit of mails, because each move sends a mail to an email that anybody may have entered. A try for a time that is
 * not free sends no mail and is not counted. If the owner has removed the email, moves still count for the removed email, although only the
 * owner gets mails about them.
 */
async function countMove(
  { database, visitors, now }: Pick<VisitServices, 'database' | 'visitors' | 'now'>,
  caller: Caller,
  found: VisitorBooking,
  { start, timezone }: { start: number; timezone: string },
): Promise<void> {
  const { booking, link } = found
  if (!link || moveStateOf(found, now()) !== 'open' || !isOffered(link, start, { timezone, now: now() })) return
  const request = { visitorZone: timezone, now: now(), exceptBooking: booking.id }
  if (await database.read(caller, () => isFree(link, start, request)))
    await visitors.countMail(link.owner, booking.attendee_email || booking.id)
}

/** Adds the mails of a change. The link may have been deleted since. */
async function addMails(services: Services, owner: string, event: 'moved' | 'cancelled', { booking, link }: VisitorBooking): Promise<void> {
  const details = await readMailDetails(owner, link)
  await addChangeMails(services, event, { link: details, booking, ownerEmail: await readOwnerEmail(owner) })
}
