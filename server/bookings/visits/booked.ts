// What the page of a booking link shows after a booking: when it is, and the links to cancel and move it.
import type { Booking } from '#contract/bookings.ts'
import type { BookedContent } from '#contract/pages.ts'
import type { PageServices } from '#server/platform/http/public-pages.ts'
import { moveStateOf, readVisitorBooking, stateOf, type VisitorBooking } from './change.ts'
import type { PublicLink } from './links.store.ts'
import { formatWhen } from './offered.ts'
import { readBookingToken, signBooking } from './tokens.ts'

/** Returns the address of the page that confirms a booking. */
export function bookedAddress(
  { installationKey }: Pick<PageServices, 'installationKey'>,
  { slug, owner }: PublicLink,
  booking: Pick<Booking, 'id' | 'attendee_email' | 'timezone'>,
): string {
  const query = { timezone: booking.timezone, booked: signBooking(installationKey, 'booked', owner, booking) }
  return `/book/${slug}?${new URLSearchParams(query).toString()}`
}

/** The booking of a visitor, and what the page shows of it. */
export type Booked = VisitorBooking & { owner: string; content: BookedContent }

/** Returns the booking of the token in the query of `bookedAddress`; null without a valid token, or if it is no longer confirmed. */
export async function readBooked(services: PageServices, query: Readonly<Record<string, string>>): Promise<Booked | null> {
  const { installationKey, now } = services
  const reference = readBookingToken(installationKey, 'booked', query['booked'] ?? '', now())
  const found = reference && (await readVisitorBooking(services, reference))
  if (!found || found.booking.status !== 'confirmed') return null
  const { owner } = reference
  const { booking } = found
  const content = {
    when: formatWhen(booking.timezone, Date.parse(booking.start_time), Date.parse(booking.end_time)),
    email: booking.attendee_email,
    can_change: stateOf(found, now()) === 'open',
    cancel_url: changeAddress(services, 'cancel', owner, booking),
    move_url: moveStateOf(found, now()) === 'closed' ? '' : changeAddress(services, 'move', owner, booking),
  }
  return { ...found, owner, content }
}

/** Returns the address of the page to move or to cancel a booking. */
export const changeAddress = (
  { installationKey, address }: Pick<PageServices, 'installationKey' | 'address'>,
  purpose: 'cancel' | 'move',
  owner: string,
  booking: Pick<Booking, 'id' | 'attendee_email'>,
): string => `${address}/booking/${purpose}/${signBooking(installationKey, purpose, owner, booking)}`
