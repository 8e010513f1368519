// Lets a visitor wait for a free time on a day or in a week.
import type { NewWait } from '#contract/publicBookings.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { addDays, formatDate, toFirstInstant } from '#server/platform/time/local-time.ts'
import { requireTimezone } from '#server/platform/time/zones.ts'
import { bookingPageKind, type VisitServices } from './book.ts'
import { readPublicLink, type PublicLink } from './links.store.ts'
import { readOffered } from './offered.ts'
import type { WaitReference } from './tokens.ts'
import { countWaits, deleteWait, deleteWaitsOf, storeWait, type Wait } from './waits.store.ts'

/** The maximum numbers of open waits of one email with an owner, and of one link. */
const maxWaits = { ofEmail: 5, ofLink: 500 }

type Sent = { link: string; body: NewWait; address: string }

/**
 * Stores that a visitor waits. Returns the id of the wait, and the link. Throws `not_found` for a missing or inactive link, `invalid`, and the
 * errors of `Visitors`.
 */
export async function waitForTime(
  services: VisitServices,
  caller: Caller,
  { link: linkId, body, address }: Sent,
): Promise<{ id: string; link: PublicLink }> {
  const { database, visitors, now } = services
  const { owner } = caller
  const { date, days, timezone, name, email } = body
  const link = await database.read(caller, () => readPublicLink(owner, linkId))
  if (!link?.is_active) throw new Refusal('not_found')
  requireTimezone(timezone)
  const visit = await visitors.check({ owner, kind: bookingPageKind, id: linkId }, { ...body, address })
  if (visit.suspicion) throw new Refusal('visit_refused')
  const id = await database.transaction(caller, 'Waits for a time', async () => {
    const { today, last_day: lastDay, days: offered } = await readOffered({ link, timezone, now: now(), from: date, days })
    if (date < today || date > lastDay) throw new Refusal('invalid', { fields: { date: 'Choose a day on which times can be booked' } })
    const { ofEmail, ofLink } = await countWaits(owner, linkId, email, now())
    if (ofEmail >= maxWaits.ofEmail)
      throw new Refusal('invalid', { fields: { email: 'This email waits for as many days as it can. Stop one of them first.' } })
    if (ofLink >= maxWaits.ofLink) throw new Refusal('invalid', { fields: { date: 'Too many visitors wait already' } })
    await visit.use()
    const last = addDays(date, days - 1)
    return storeWait(owner, {
      booking_link_id: linkId,
      name,
      email,
      timezone,
      first_day: date,
      last_day: last,
      from_time: new Date(toFirstInstant(timezone, date, 0)).toISOString(),
      until_time: new Date(toFirstInstant(timezone, last, 24 * 60)).toISOString(),
      known_times: offered.flatMap(({ times }) => times.map(({ start_time: start }) => Date.parse(start))),
    })
  })
  return { id, link }
}

/** Stops one wait, or all mails to its email. Does nothing if it was stopped before. */
export const stopWaiting = (
  { database }: Pick<VisitServices, 'database'>,
  caller: Caller,
  { id, stopsAll }: Pick<WaitReference, 'id' | 'stopsAll'>,
): Promise<unknown> =>
  database.transaction(caller, 'Stopped waiting', () => (stopsAll ? deleteWaitsOf(caller.owner, id) : deleteWait(caller.owner, id)))

/** Returns the days as `Monday, 30 November 2026`, or with `to` between the first and the last. */
export const formatDays = ({ first_day: first, last_day: last }: Pick<Wait, 'first_day' | 'last_day'>): string =>
  first === last ? formatDate(first) : `${formatDate(first)} to ${formatDate(last)}`
