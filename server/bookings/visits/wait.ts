// Lets a visitor wait for a free time on a day or in a week.
import { createHmac } from 'node:crypto'
import type { NewWait } from '#contract/publicBookings.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { listCountedNetworks } from '#server/platform/http/limits.ts'
import { isPageUsed } from '#server/platform/http/visitors/visitors.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { addDays, formatDate, toFirstInstant } from '#server/platform/time/local-time.ts'
import { requireTimezone } from '#server/platform/time/zones.ts'
import { bookingPageKind } from './book.ts'
import { readPublicLink, type PublicLink } from './links.store.ts'
import { readOffered } from './offered.ts'
import type { TokenReference, WaitingEmail } from './tokens.ts'
import type { VisitServices } from './write-visit.ts'
import { countWaits, deleteWait, deleteWaitsOf, findSentWait, lockWaits, storeWait, type Wait } from './waits.store.ts'

/**
 * The maximum numbers of open waits with an owner: of one email from one network, of one email, of one link from one network, and of one
 * link. Anybody can enter the email of somebody else. The smaller limits for one network prevent that one visitor uses up all waits.
 */
const maxWaits = { ofEmailAndNetwork: 5, ofEmail: 20, ofLinkAndNetwork: 100, ofLink: 500 }

/** `ip`: the address of the visitor. */
type WaitRequest = { linkId: string; body: NewWait; ip: string }

/**
 * Stores that a visitor waits. Returns the id of the wait, and the link. A page that is sent again gets the same wait. Throws `not_found`
 * for a missing or inactive link, `invalid`, and the errors of `Visitors`.
 */
export async function waitForTime(
  services: VisitServices,
  caller: Caller,
  { linkId, body, ip }: WaitRequest,
): Promise<{ id: string; link: PublicLink }> {
  const { database, installationKey, visitors, now } = services
  const { owner } = caller
  const { date, days, timezone, email } = body
  const link = await database.read(caller, () => readPublicLink(owner, linkId))
  if (!link?.is_active) throw new Refusal('not_found')
  requireTimezone(timezone)
  const visit = await visitors.check({ owner, kind: bookingPageKind, id: linkId }, { ...body, ip })
  if (visit.suspicion) throw new Refusal('visit_refused')
  const hashes = hashNetworks(installationKey, owner, ip)
  try {
    const id = await database.transaction(caller, 'Waits for a time', async () => {
      const wait = await composeWait(link, body, now())
      await lockWaits(owner)
      await requireBelowLimits(owner, { ...wait, ...hashes }, now())
      await visit.use()
      const stored = await storeWait(owner, { ...wait, ...hashes })
      if (stored === undefined)
        throw new Refusal('invalid', { fields: { email: 'A mail about these days will be sent to this email already' } })
      return stored
    })
    return { id, link }
  } catch (error) {
    if (!isPageUsed(error)) throw error
    // the page was sent twice, for example by a double click
    const sent = { linkId, email, date, days, subscriberHash: hashes.subscriber_hash }
    const earlier = await database.read(caller, () => findSentWait(owner, sent))
    if (!earlier) throw error
    return { id: earlier.id, link }
  }
}

/** Returns the wait that a visitor asks for, with the times that are free now. Throws `invalid` for days that cannot be booked. */
async function composeWait(link: PublicLink, { date, days, timezone, name, email }: NewWait, now: Date) {
  const { today, last_day: lastDay, days: offered } = await readOffered({ link, timezone, now, from: date, days })
  if (date < today || date > lastDay) throw new Refusal('invalid', { fields: { date: 'Choose a day on which times can be booked' } })
  const last = addDays(date, days - 1)
  return {
    booking_link_id: link.id,
    name,
    email,
    timezone,
    first_day: date,
    last_day: last,
    from_time: new Date(toFirstInstant(timezone, date, 0)).toISOString(),
    until_time: new Date(toFirstInstant(timezone, last, 24 * 60)).toISOString(),
    known_times: offered.flatMap(({ times }) => times.map(({ start_time: start }) => Date.parse(start))),
  }
}

/** Throws `invalid` if one of the limits `maxWaits` is reached. The caller has the lock of `lockWaits`. */
async function requireBelowLimits(owner: string, wait: Parameters<typeof countWaits>[1], now: Date): Promise<void> {
  const counts = await countWaits(owner, wait, now)
  if (counts.of_email_and_network >= maxWaits.ofEmailAndNetwork || counts.of_email >= maxWaits.ofEmail)
    throw new Refusal('invalid', {
      fields: { email: 'No more days can be added for this email. Try again when some of its days are over.' },
    })
  if (counts.of_link_and_network >= maxWaits.ofLinkAndNetwork)
    throw new Refusal('invalid', {
      fields: { date: 'Too many visitors from your network wait already. Try again when some of their days are over.' },
    })
  if (counts.of_link >= maxWaits.ofLink) throw new Refusal('invalid', { fields: { date: 'Too many visitors wait already' } })
}

/**
 * Returns hashes of the largest and the smallest network that `listCountedNetworks` returns. Waits are counted for the largest one,
 * because one person may own all of it. But it may also belong to several subscribers, so the smallest one decides who may renew a wait.
 */
function hashNetworks(installationKey: string, owner: string, ip: string): { network_hash: string; subscriber_hash: string } {
  const networks = listCountedNetworks(ip)
  const hash = (network = ''): string => createHmac('sha256', installationKey).update(`waits ${owner} ${network}`).digest('base64url')
  return { network_hash: hash(networks.at(-1)?.name), subscriber_hash: hash(networks[0]?.name) }
}

/** Stops one wait, or all waits of an email. Does nothing if they were stopped before. */
export const stopWaiting = (
  { database }: Pick<VisitServices, 'database'>,
  caller: Caller,
  target: TokenReference | WaitingEmail,
): Promise<unknown> =>
  database.transaction(caller, 'Stopped waiting', () =>
    'id' in target ? deleteWait(caller.owner, target.id) : deleteWaitsOf(caller.owner, target.emailHash),
  )

/** Returns the days in a sentence: `on Monday, 30 November 2026`, or `from` the first `to` the last. */
export const formatWhenWaiting = (wait: Pick<Wait, 'first_day' | 'last_day'>): string =>
  `${wait.first_day === wait.last_day ? 'on' : 'from'} ${formatDays(wait)}`

/** Returns the days as `Monday, 30 November 2026`, or with `to` between the first and the last. */
export const formatDays = ({ first_day: first, last_day: last }: Pick<Wait, 'first_day' | 'last_day'>): string =>
  first === last ? formatDate(first) : `${formatDate(first)} to ${formatDate(last)}`
