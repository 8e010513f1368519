import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PageParts } from '#contract/pages.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { loadFirstResponses } from './first-responses.ts'
import type { Pages } from './pages.ts'
import { sendProblem } from './problem.ts'
import { createPageCache } from './page-cache.ts'
import { acceptForms } from './page-forms.ts'
import type { LoadedPage, OpenedVisit, PagePolicy, PageServices, PublicPage, SentForm } from './public-pages.ts'
import type { Screen } from './screens.ts'

type Documents = { pages: Pages; screens: readonly Screen[]; publicPages: readonly PublicPage[]; services: PageServices }

/** Serves every HTML document: the public pages, the screens of the application and the not-found page. */
export function serveDocuments(server: FastifyInstance, { pages, screens, publicPages, services }: Documents): void {
  const notFoundPage = publicPages.find(({ path }) => path === '*')
  const cache = createPageCache(services.database, services.now)
  const sendNotFound = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const page = await notFoundPage?.load(request, services, pages)
    return page ? sendPublicPage(request, reply, { ...page, status: 404 }) : sendProblem(reply, new Refusal('not_found'))
  }
  const sendPublicPage = async (
    request: FastifyRequest,
    reply: FastifyReply,
    { template, status, visit }: LoadedPage,
    policy?: PagePolicy,
  ): Promise<FastifyReply> => {
    const parts = visit ? openVisit(services, visit, request.ip) : { token: '', challenge: '' }
    return sendDocument(reply, status, async (nonce) => template.withParts({ ...parts, nonce }), policy)
  }
  server.setNotFoundHandler((request, reply) => {
    const isFromProgram = /^\/api(\/|$)/.test(request.url) || request.method !== 'GET'
    return isFromProgram ? sendProblem(reply, new Refusal('not_found')) : sendNotFound(request, reply)
  })
  for (const { path, policy, redirect, forms, isCached, load } of publicPages.filter((page) => page !== notFoundPage)) {
    const fastifyPath = path.replaceAll(/\{(\w+)\}/g, ':$1') // Fastify writes the parameter {page} as :page
    const findPage = async (request: FastifyRequest, sentForm?: SentForm): Promise<LoadedPage | undefined> => {
      if (hasUnstorableParameter(request)) return undefined
      const loadPage = () => load(request, services, pages, sentForm)
      return isCached && !sentForm ? cache.get(request, loadPage) : loadPage()
    }
    const sendPage = async (request: FastifyRequest, reply: FastifyReply, sentForm?: SentForm): Promise<FastifyReply> => {
      const page = await findPage(request, sentForm)
      if (!page) return sendNotFound(request, reply)
      // our own pages get a referrer, because without it some browsers send a form with the Origin `null`, which the server refuses; other
      // websites get none, because the addresses of some pages contain a token
      if (forms) reply.header('referrer-policy', 'same-origin')
      return sendPublicPage(request, reply, page, policy)
    }
    server.get(fastifyPath, async (request, reply) => {
      const redirectAddress = await redirect?.(request, services)
      return redirectAddress === undefined ? sendPage(request, reply) : reply.redirect(redirectAddress)
    })
    if (forms) acceptForms(server, fastifyPath, forms, sendPage)
  }
  for (const { path, isPublic = false } of screens) {
    const send = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const isAllowed = isPublic || (await services.isSignedIn(request))
      if (!isAllowed) return reply.redirect(`/auth?next=${encodeURIComponent(request.url)}`)
      const firstRequests = isPublic ? [] : (pages.firstRequests?.(request.url) ?? [])
      const responses = await loadFirstResponses(server, request, firstRequests)
      return sendDocument(reply, 200, (nonce) => pages.application(request.url, nonce, responses))
    }
    server.get(path, send)
    server.get(`${path}/*`, send)
  }
}

/** Whether the path has the character NUL, which PostgreSQL cannot store, so that no page has this address. */
const hasUnstorableParameter = ({ params }: FastifyRequest): boolean =>
  Object.values(params ?? {}).some((value) => typeof value === 'string' && value.includes('\0'))

/** Returns the token and the challenge with which the visitor can write once. */
function openVisit(
  { visitors }: PageServices,
  { page, pageVersion, token: earlierToken }: OpenedVisit,
  ip: string,
): Omit<PageParts, 'nonce'> {
  const { token, challenge } = visitors.openPage(page, ip, pageVersion, earlierToken)
  return { token, challenge: JSON.stringify(challenge) }
}

/** The text of each policy, with a placeholder for the nonce. A text is kept, because all views of a page have the same policy. */
const policyTexts = new WeakMap<PagePolicy, string>()
const noPolicy: PagePolicy = {}

/** Sends an HTML document with a new nonce and its content security policy. */
async function sendDocument(
  reply: FastifyReply,
  status: number,
  render: (nonce: string) => Promise<string | Buffer>,
  policy: PagePolicy = noPolicy,
): Promise<FastifyReply> {
  const nonce = randomBytes(16).toString('base64')
  const html = await render(nonce)
  // X-Frame-Options cannot name other origins, and a browser may prefer it to frame-ancestors in the policy
  if (policy.frameAncestors) reply.removeHeader('x-frame-options')
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', withNonce(policy, nonce))
    .send(html)
}

function withNonce(policy: PagePolicy, nonce: string): string {
  const text = policyTexts.get(policy) ?? formatPolicy(policy)
  policyTexts.set(policy, text)
  return text.replaceAll(noncePlaceholder, nonce)
}

const noncePlaceholder = '{nonce}'

/** Allows our own files, and inline code with the nonce of the response. The policy is the same in development and production. */
function formatPolicy({ sources = {}, frameAncestors = ["'none'"] }: PagePolicy): string {
  const directives: Record<string, readonly string[]> = {
    'default-src': ["'self'"],
    'script-src': ["'self'", `'nonce-${noncePlaceholder}'`],
    'style-src': ["'self'", `'nonce-${noncePlaceholder}'`],
    'img-src': ["'self'", 'data:', 'blob:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': frameAncestors,
  }
  for (const [name, origins] of Object.entries(sources)) directives[name] = [...(directives[name] ?? ["'self'"]), ...origins]
  return Object.entries(directives)
    .map(([name, values]) => `${name} ${values.join(' ')}`)
    .join('; ')
}
