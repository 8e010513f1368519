// The public page of a booking link, `/book/{slug}`: the times and the form, and above them the new booking, or the note that
// the visitor is on the waiting list.
import type { FastifyRequest } from 'fastify'
import { emptyBookingLink } from '#contract/bookingLinks.ts'
import type { BookContent } from '#contract/pages.ts'
import { withLimitMessage } from '#contract/visitorForms.ts'
import { textsOf } from '#server/platform/http/page-entries.ts'
import { defineCachedPage, type OpenedVisit, type PageServices, type SentForm } from '#server/platform/http/public-pages.ts'
import { visitorOf, visitorOfOwner } from '#server/platform/http/visitor.ts'
import { findConfirmationAddress, readEntered, toCall } from './book-form.ts'
import { bookingPageKind } from './book.ts'
import { readBooked, type Booked } from './booked.ts'
import { readChoice, toPageProblem } from './choice.ts'
import { formatCutoff } from './cutoff.ts'
import { findLinkBySlug, readPublicLink, type PublicLink } from './links.store.ts'
import { readMailDetails } from './mails.ts'
import { formatTimezone } from './offered.ts'
import { readWaiting } from './waiting.ts'

/** The page of a booking link, which other websites may show in a frame. Visitors share its rendered document (decision 0036). */
export const bookPage = defineCachedPage({
  name: 'book',
  path: '/book/{slug}',
  files: { style: 'web/public/book/book.css', script: 'web/public/book/book.ts' },
  policy: { frameAncestors: ['*'] },
  statusOf: (content) => (content.kind === 'missing' ? 404 : content.kind === 'link' && content.problem ? 422 : 200),
  loadPage,
  forms: { maxBytes: 256 * 1024, toCall, findOutcomeAddress: findConfirmationAddress },
})

type CachedContent = { content: BookContent; owner?: string; visit?: OpenedVisit }

async function loadPage(request: FastifyRequest, services: PageServices, sent?: SentForm): Promise<CachedContent> {
  const { address, database, now } = services
  const link = await findActiveLink(request, services)
  const query = textsOf(request.query)
  const found = sent ? null : await readBooked(services, query)
  if (!link) return found ? loadBooked(services, found) : { content: { kind: 'missing' } }
  const { owner, id, slug, title, description, color, duration_minutes, owner_name } = link
  const booked = found?.link?.id === id ? found.content : null
  const waiting = sent ? null : await readWaiting(services, link, query)
  const { timezone = '', ...others } = sent ? textsOf(sent.form) : query
  const chosen = booked ? { timezone } : { timezone, ...others }
  const choice = await database.read(visitorOfOwner(owner), () => readChoice({ link, now: now(), chosen }))
  const content: BookContent = {
    kind: 'link',
    url: `${address}/book/${slug}`,
    path: `/book/${slug}`,
    link: { id, slug, title, description, color, duration_minutes },
    owner_name,
    choice,
    ...readEntered(link, request.query, sent, booked !== null),
    questions: link.questions?.fields ?? [],
    problem: toPageProblem(sent && { ...sent, problem: sent.problem && withLimitMessage(sent.problem) }),
    sends_mail: services.sendsMail,
    cutoff: formatCutoff(link.cutoff_minutes),
    booked,
    waiting,
  }
  return { content, owner, visit: { page: { owner, kind: bookingPageKind, id }, ...readUnusedToken(sent) } }
}

/** Returns the confirmation of a booking whose link takes no bookings any more. */
async function loadBooked({ database, sendsMail }: PageServices, found: Booked): Promise<CachedContent> {
  const { owner, booking, link, content } = found
  const { owner_name } = link ?? (await database.read(visitorOfOwner(owner), () => readMailDetails(owner, undefined)))
  return {
    content: {
      kind: 'booked',
      title: booking.title,
      color: link?.color ?? emptyBookingLink.color,
      owner_name,
      timezone_label: formatTimezone(booking.timezone, Date.parse(booking.start_time)),
      sends_mail: sendsMail,
      booked: content,
    },
    owner,
  }
}

/**
 * Returns the token of a form that was refused with `invalid` or `slot_taken`, because this token has not been used. A form with a new
 * token would be refused for some seconds.
 */
function readUnusedToken(sent: SentForm | undefined): { token?: string } {
  const isUnused = sent?.problem?.code === 'invalid' || sent?.problem?.code === 'slot_taken'
  return isUnused ? { token: textsOf(sent.form)['page_token'] ?? '' } : {}
}

async function findActiveLink(request: FastifyRequest, { database }: PageServices): Promise<PublicLink | undefined> {
  const { slug = '' } = textsOf(request.params)
  const found = await findLinkBySlug(database, visitorOf(request), slug.toLowerCase())
  const link = found && (await database.read(visitorOfOwner(found.owner), () => readPublicLink(found.owner, found.id)))
  return link?.is_active ? link : undefined
}
