// What the page of a booking link shows to a visitor who waits for a free time: the days, and the link to stop waiting.
import type { BookContent } from '#contract/pages.ts'
import { textsOf } from '#server/platform/http/page-entries.ts'
import type { PageServices, SentForm } from '#server/platform/http/public-pages.ts'
import { visitorOfOwner } from '#server/platform/http/visitor.ts'
import type { PublicLink } from './links.store.ts'
import { readBookingToken, signBooking } from './tokens.ts'
import { formatDays } from './wait.ts'
import { findSentWait, findWait, type Wait } from './waits.store.ts'

/** Returns the address of the page that confirms that a visitor waits. */
export const waitingAddress = ({ secret }: Pick<PageServices, 'secret'>, link: PublicLink, id: string, timezone: string): string =>
  `/book/${link.slug}?${new URLSearchParams({ timezone, waiting: signBooking(secret, 'wait', { owner: link.owner, id }) }).toString()}`

type Waiting = Extract<BookContent, { kind: 'link' }>['waiting']

/** Returns the wait that the visitor has just added, with or without script; null if there is none. */
export async function readWaiting(
  services: PageServices,
  { owner, id: link }: PublicLink,
  query: Readonly<Record<string, string>>,
  sent: SentForm | undefined,
): Promise<Waiting> {
  const { database, secret, address } = services
  const find = sent ? findOfForm(owner, link, sent) : findOfAddress(services, owner, query)
  const wait = find && (await database.read(visitorOfOwner(owner), find))
  if (wait?.booking_link_id !== link) return null
  return {
    days: formatDays(wait),
    email: wait.email,
    stop_url: `${address}/booking/wait/${signBooking(secret, 'wait', { owner, id: wait.id })}`,
  }
}

type FindWait = () => Promise<Wait | undefined>

/** Returns the query for the wait that a form without script has stored; undefined if the form was refused or is for a booking. */
function findOfForm(owner: string, link: string, { form, problem }: SentForm): FindWait | undefined {
  if (problem || form.get('action') !== 'wait') return undefined
  const { email = '', date = '', wait_days: days } = textsOf(form)
  return () => findSentWait(owner, { link, email: email.trim(), date, days: Number(days) })
}

/** Returns the query for the wait of the token in the address; undefined without a valid token. */
function findOfAddress({ secret, now }: PageServices, owner: string, query: Readonly<Record<string, string>>): FindWait | undefined {
  const reference = readBookingToken(secret, 'wait', query['waiting'] ?? '', now())
  return reference?.owner === owner ? () => findWait(owner, reference.id, now()) : undefined
}
