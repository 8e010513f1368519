// The page on which a visitor stops waiting, `/booking/wait/{token}`. Opening it changes nothing, because programs that check mails open
// every link; only sending its form does.
import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { emptyBookingLink } from '#contract/bookingLinks.ts'
import type { StopWaitingContent } from '#contract/pages.ts'
import { textsOf } from '#server/platform/http/page-entries.ts'
import { definePublicPage, type PageServices, type SentForm } from '#server/platform/http/public-pages.ts'
import { visitorOfOwner } from '#server/platform/http/visitor.ts'
import { readPublicLink, type PublicLink } from './links.store.ts'
import { readMailDetails } from './mails.ts'
import { readStopToken, type TokenReference, type WaitingEmail } from './tokens.ts'
import { formatDays, formatWhenWaiting } from './wait.ts'
import { findWait, listLinksOfWaits, listWaitsOf, type Wait } from './waits.store.ts'

const pathOf = (request: FastifyRequest): string => `/booking/wait/${tokenOf(request)}`
const tokenOf = (request: FastifyRequest): string => textsOf(request.params)['token'] ?? ''

export const stopWaitingPage = definePublicPage({
  name: 'stopWaiting',
  path: '/booking/wait/{token}',
  files: { style: 'web/public/book/book.css' },
  statusOf: (content) => (content.kind === 'unknown' ? 404 : content.kind === 'open' && content.problem !== '' ? 422 : 200),
  loadContent,
  forms: {
    maxBytes: 16 * 1024,
    toCall: async (_form, request) => ({
      url: `/api/public/booking-waits/${encodeURIComponent(tokenOf(request))}/stop`,
      key: randomUUID(),
      body: {},
    }),
    // by then the wait is deleted, so the address contains the id of its link
    findOutcomeAddress: ({ form }, request) =>
      `${pathOf(request)}?${new URLSearchParams({ stopped: textsOf(form)['link_id'] ?? '' }).toString()}`,
  },
})

async function loadContent(request: FastifyRequest, services: PageServices, sent?: SentForm): Promise<StopWaitingContent> {
  const { database, installationKey, now } = services
  const target = readStopToken(installationKey, tokenOf(request), now())
  if (!target) return { kind: 'unknown' }
  const { owner } = target
  return database.read(visitorOfOwner(owner), async () => {
    const waits = 'id' in target ? [await findWait(owner, target.id, now())] : await listWaitsOf(owner, target.emailHash, now())
    const open = waits.filter((wait) => wait !== undefined)
    if (open.length === 0) return readStopped(request, services, target)
    const links = new Map<string, PublicLink | undefined>()
    for (const { booking_link_id: id } of open) if (!links.has(id)) links.set(id, await readPublicLink(owner, id))
    const [firstId = ''] = links.keys()
    const onlyId = links.size === 1 ? firstId : ''
    const link = links.get(firstId)
    const titleOf = (wait: Wait): string => links.get(wait.booking_link_id)?.title ?? defaultTitle
    const [wait, ...others] = open
    return {
      kind: 'open',
      stops_all: !('id' in target),
      path: pathOf(request),
      title: (onlyId && link?.title) || defaultTitle,
      color: link?.color ?? emptyBookingLink.color,
      days: open.map((each) => (onlyId ? formatDays(each) : `${titleOf(each)}: ${formatDays(each)}`)),
      when: wait && others.length === 0 ? formatWhenWaiting(wait) : 'on these days',
      owner_name: link?.owner_name ?? '',
      link_id: onlyId,
      problem: sent?.problem?.detail ?? '',
    }
  })
}

/**
 * Reads what is known of the booking link of waits that are over. If the form was sent, the waits are deleted and the address contains the
 * id of the link. Waits that ended in another way, for example because the mail about a free time was sent, are still stored, with the id.
 */
async function readStopped(
  request: FastifyRequest,
  { address }: PageServices,
  target: TokenReference | WaitingEmail,
): Promise<StopWaitingContent> {
  const { owner } = target
  const { stopped } = textsOf(request.query)
  const [id, ...others] = z.safeParse(z.uuid(), stopped).success ? [stopped] : await listLinksOfWaits(owner, target)
  const link = id !== undefined && others.length === 0 ? await readPublicLink(owner, id) : undefined
  return {
    kind: 'stopped',
    stops_all: !('id' in target),
    is_done: stopped !== undefined,
    title: link?.title ?? defaultTitle,
    color: link?.color ?? emptyBookingLink.color,
    owner_name: (await readMailDetails(owner, link)).owner_name,
    book_url: link?.is_active ? `${address}/book/${link.slug}` : '',
  }
}

const defaultTitle = 'Free times'
