// What the page of a booking link shows after a booking: when it is, and the links to cancel and move it.
import type { Booking } from '#contract/bookings.ts'
import type { BookContent } from '#contract/pages.ts'
import type { PageServices } from '#server/platform/http/public-pages.ts'
import { readVisitorBooking } from './change.ts'
import type { PublicLink } from './links.store.ts'
import { formatWhen } from './offered.ts'
import { readBookingToken, signBooking, type TokenReference } from './tokens.ts'

/** Returns the address of the page that confirms a booking. */
export const bookedAddress = ({ secret }: Pick<PageServices, 'secret'>, link: PublicLink, id: string, timezone: string): string =>
  `/book/${link.slug}?${new URLSearchParams({ timezone, booked: signBooking(secret, 'booked', { owner: link.owner, id }) }).toString()}`

type BookedContent = Extract<BookContent, { kind: 'link' }>['booked']

/** Returns the booking of the token in the query of `bookedAddress`; null without a valid token, or if it is no longer confirmed. */
export async function readBooked(
  services: PageServices,
  link: PublicLink,
  query: Readonly<Record<string, string>>,
): Promise<BookedContent> {
  const { secret, now, address } = services
  const reference = readBookingToken(secret, 'booked', query['booked'] ?? '', now())
  const found = reference && (await readVisitorBooking(services, reference))
  if (!found || found.link?.id !== link.id || found.booking.status !== 'confirmed') return null
  return toBookedContent(secret, address, reference, found.booking)
}

function toBookedContent(secret: string, address: string, reference: TokenReference, booking: Booking): BookedContent {
  const urlTo = (purpose: 'cancel' | 'move'): string => `${address}/booking/${purpose}/${signBooking(secret, purpose, reference)}`
  return {
    when: formatWhen(booking.timezone, Date.parse(booking.start_time), Date.parse(booking.end_time)),
    email: booking.attendee_email,
    cancel_url: urlTo('cancel'),
    move_url: urlTo('move'),
  }
}
