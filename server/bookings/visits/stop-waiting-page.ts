// The page to which the page of a visitor who waits and the mails about free times lead, `/booking/wait/{token}`. Opening it changes nothing, because programs that check mails
// open every link; only its form does.
import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { StopWaitingContent } from '#contract/pages.ts'
import { textsOf } from '#server/platform/http/page-entries.ts'
import { definePublicPage, type PageServices } from '#server/platform/http/public-pages.ts'
import { visitorOfOwner } from '#server/platform/http/visitor.ts'
import { readPublicLink } from './links.store.ts'
import { readStopToken } from './tokens.ts'
import { formatDays } from './wait.ts'
import { findWait } from './waits.store.ts'

const tokenOf = (request: FastifyRequest): string => textsOf(request.params)['token'] ?? ''

export const stopWaitingPage = definePublicPage({
  name: 'stopWaiting',
  path: '/booking/wait/{token}',
  files: { style: 'web/public/book/book.css' },
  statusOf: ({ kind }) => (kind === 'unknown' ? 404 : 200),
  loadContent,
  forms: {
    maxBytes: 16 * 1024,
    toCall: async (_form, request) => ({
      url: `/api/public/booking-waits/${encodeURIComponent(tokenOf(request))}/stop`,
      key: randomUUID(),
      body: {},
    }),
  },
})

async function loadContent(request: FastifyRequest, { database, secret, now }: PageServices): Promise<StopWaitingContent> {
  const token = tokenOf(request)
  const reference = readStopToken(secret, token, now())
  if (!reference) return { kind: 'unknown' }
  const { owner, id, stopsAll } = reference
  return database.read(visitorOfOwner(owner), async () => {
    const wait = await findWait(owner, id)
    if (!wait) return { kind: 'stopped', stops_all: stopsAll }
    const link = await readPublicLink(owner, wait.booking_link_id)
    return {
      kind: 'open',
      stops_all: stopsAll,
      path: `/booking/wait/${token}`,
      title: link?.title ?? 'Free times',
      color: link?.color ?? '#3B82F6',
      days: formatDays(wait),
      owner_name: link?.owner_name ?? '',
    }
  })
}
