// What the page of a booking link shows after a booking: when it is, and the links to cancel and move it.
import type { Booking } from '#contract/bookings.ts'
import type { BookContent } from '#contract/pages.ts'
import type { PageServices } from '#server/platform/http/public-pages.ts'
import { readVisitorBooking, stateOf } from './change.ts'
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

type BookedContent = Extract<BookContent, { kind: 'link' }>['booked']

/** Returns the booking of the token in the query of `bookedAddress`; null without a valid token, or if it is no longer confirmed. */
export async function readBooked(
  services: PageServices,
  link: PublicLink,
  query: Readonly<Record<string, string>>,
): Promise<BookedContent> {
  const { installationKey, now, address } = services
  const reference = readBookingToken(installationKey, 'booked', query['booked'] ?? '', now())
  const found = reference && (await readVisitorBooking(services, reference))
  if (!found || found.link?.id !== link.id || found.booking.status !== 'confirmed') return null
  const { booking } = found
  const urlTo = (purpose: 'cancel' | 'move'): string =>
    `${address}/booking/${purpose}/${signBooking(installationKey, purpose, link.owner, booking)}`
  return {
    when: formatWhen(booking.timezone, Date.parse(booking.start_time), Date.parse(booking.end_time)),
    email: booking.attendee_email,
    can_change: stateOf(found, now()) === 'open',
    cancel_url: urlTo('cancel'),
    move_url: urlTo('move'),
  }
}
