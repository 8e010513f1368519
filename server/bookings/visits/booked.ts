// What the page of a booking link shows after a booking: when it is, and the links to cancel and move it.
import type { Booking } from '#contract/bookings.ts'
import type { BookContent } from '#contract/pages.ts'
import { textsOf } from '#server/platform/http/page-entries.ts'
import type { PageServices, SentForm } from '#server/platform/http/public-pages.ts'
import { visitorOfOwner } from '#server/platform/http/visitor.ts'
import { findByPageToken } from './write-visit.ts'
import { readVisitorBooking } from './change.ts'
import type { PublicLink } from './links.store.ts'
import { formatWhen } from './offered.ts'
import { readBookingToken, signBooking, type TokenReference } from './tokens.ts'

/** Returns the address of the page that confirms a booking. */
export const bookedAddress = ({ secret }: Pick<PageServices, 'secret'>, link: PublicLink, id: string, timezone: string): string =>
  `/book/${link.slug}?${new URLSearchParams({ timezone, booked: signBooking(secret, 'booked', { owner: link.owner, id }) }).toString()}`

type BookedContent = Extract<BookContent, { kind: 'link' }>['booked']

/** Returns the booking that was just made, with or without script; null if there is none, or it is no longer confirmed. */
export async function readBooked(
  services: PageServices,
  link: PublicLink,
  query: Readonly<Record<string, string>>,
  sent: SentForm | undefined,
): Promise<BookedContent> {
  const { secret, now, address } = services
  const reference = sent
    ? await findSentBooking(services, link.owner, sent)
    : readBookingToken(secret, 'booked', query['booked'] ?? '', now())
  const found = reference && (await readVisitorBooking(services, reference))
  if (!found || found.link?.id !== link.id || found.booking.status !== 'confirmed') return null
  return toBookedContent(secret, address, reference, found.booking)
}

/** Returns the booking that a form without script has made; undefined if it was refused. */
async function findSentBooking(
  { database }: PageServices,
  owner: string,
  { form, problem }: SentForm,
): Promise<TokenReference | undefined> {
  if (problem || form.get('action') === 'wait') return undefined
  const found = await database.read(visitorOfOwner(owner), () => findByPageToken(owner, textsOf(form)['page_token'] ?? ''))
  return found && { owner, id: found.id }
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
