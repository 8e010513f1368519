// What the page of a booking link shows to a visitor who waits for a free time: the days, and the link to stop waiting.
import type { BookContent } from '#contract/pages.ts'
import type { PageServices } from '#server/platform/http/public-pages.ts'
import { visitorOfOwner } from '#server/platform/http/visitor.ts'
import type { PublicLink } from './links.store.ts'
import { readWaitToken, signWait } from './tokens.ts'
import { formatDays } from './wait.ts'
import { findWait } from './waits.store.ts'

/** Returns the address of the page that confirms that a visitor waits. */
export const waitingAddress = (
  { installationKey }: Pick<PageServices, 'installationKey'>,
  link: PublicLink,
  id: string,
  timezone: string,
): string =>
  `/book/${link.slug}?${new URLSearchParams({ timezone, waiting: signWait(installationKey, { owner: link.owner, id }) }).toString()}`

type Waiting = Extract<BookContent, { kind: 'link' }>['waiting']

/** Returns the wait of the token in the query of `waitingAddress`; null without a valid token, or if the visitor waits no longer. */
export async function readWaiting(
  { database, installationKey, address, now }: PageServices,
  { owner, id: link }: PublicLink,
  query: Readonly<Record<string, string>>,
): Promise<Waiting> {
  const reference = readWaitToken(installationKey, query['waiting'] ?? '', now())
  if (reference?.owner !== owner) return null
  const wait = await database.read(visitorOfOwner(owner), () => findWait(owner, reference.id, now()))
  if (wait?.booking_link_id !== link) return null
  return {
    first_day: wait.first_day,
    last_day: wait.last_day,
    days: formatDays(wait),
    email: wait.email,
    stop_url: `${address}/booking/wait/${signWait(installationKey, { owner, id: wait.id })}`,
  }
}
