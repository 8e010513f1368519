// The page on which a visitor stops waiting, `/booking/wait/{token}`. Opening it changes nothing, because programs that check mails open
// every link; only sending its form does.
import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { StopWaitingContent } from '#contract/pages.ts'
import { textsOf } from '#server/platform/http/page-entries.ts'
import { definePublicPage, type PageServices, type SentForm } from '#server/platform/http/public-pages.ts'
import { visitorOfOwner } from '#server/platform/http/visitor.ts'
import { readPublicLink, type PublicLink } from './links.store.ts'
import { readStopToken } from './tokens.ts'
import { formatDays } from './wait.ts'
import { findWait, listWaitsOf, type Wait } from './waits.store.ts'

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
    findOutcomeAddress: (_sentForm, request) => pathOf(request),
  },
})

async function loadContent(request: FastifyRequest, { database, secret, now }: PageServices, sent?: SentForm): Promise<StopWaitingContent> {
  const token = tokenOf(request)
  const target = readStopToken(secret, token, now())
  if (!target) return { kind: 'unknown' }
  const { owner } = target
  const stopsAll = !('id' in target)
  return database.read(visitorOfOwner(owner), async () => {
    const waits = 'id' in target ? [await findWait(owner, target.id, now())] : await listWaitsOf(owner, target.emailHash, now())
    const open = waits.filter((wait) => wait !== undefined)
    if (open.length === 0) return { kind: 'stopped', stops_all: stopsAll }
    const links = new Map<string, PublicLink | undefined>()
    for (const { booking_link_id: id } of open) if (!links.has(id)) links.set(id, await readPublicLink(owner, id))
    const [link] = links.values()
    const titleOf = (wait: Wait): string => links.get(wait.booking_link_id)?.title ?? defaultTitle
    return {
      kind: 'open',
      stops_all: stopsAll,
      path: pathOf(request),
      title: links.size === 1 ? (link?.title ?? defaultTitle) : defaultTitle,
      color: link?.color ?? '#3B82F6',
      days: open.map((wait) => (links.size === 1 ? formatDays(wait) : `${titleOf(wait)}: ${formatDays(wait)}`)),
      owner_name: link?.owner_name ?? '',
      problem: sent?.problem?.detail ?? '',
    }
  })
}

const defaultTitle = 'Free times'
