import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#server/platform/refusal.ts'
import type { Pages } from './pages.ts'
import { sendProblem } from './problem.ts'
import type { PagePolicy, PageServices, PublicPage } from './public-pages.ts'
import type { Screen } from './screens.ts'

type Documents = { pages: Pages; screens: readonly Screen[]; publicPages: readonly PublicPage[]; services: PageServices }

/** Serves every HTML document: the public pages, the screens of the application and the not-found page. */
export function serveDocuments(server: FastifyInstance, { pages, screens, publicPages, services }: Documents): void {
  const unknown = publicPages.find(({ path }) => path === '*')
  const sendUnknown = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const render = await unknown?.open(request, services, pages)
    return render ? sendDocument(reply, 404, render, unknown?.policy) : sendProblem(reply, new Refusal('not_found'))
  }
  server.setNotFoundHandler((request, reply) => {
    const isApi = /^\/api(\/|$)/.test(request.url) || request.method !== 'GET'
    return isApi ? sendProblem(reply, new Refusal('not_found')) : sendUnknown(request, reply)
  })
  for (const { path, policy, redirect, open } of publicPages.filter((page) => page !== unknown)) {
    server.get(path.replaceAll(/\{(\w+)\}/g, ':$1'), async (request, reply) => {
      const address = await redirect?.(request, services)
      if (address !== undefined) return reply.redirect(address)
      const render = await open(request, services, pages)
      return render ? sendDocument(reply, 200, render, policy) : sendUnknown(request, reply)
    })
  }
  for (const { path, isPublic = false } of screens) {
    const send = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const isAllowed = isPublic || (await services.isSignedIn(request))
      if (!isAllowed) return reply.redirect(`/auth?next=${encodeURIComponent(request.url)}`)
      return sendDocument(reply, 200, (nonce) => pages.application(request.url, nonce))
    }
    server.get(path, send)
    server.get(`${path}/*`, send)
  }
}

async function sendDocument(
  reply: FastifyReply,
  status: number,
  render: (nonce: string) => Promise<string>,
  policy: PagePolicy = {},
): Promise<FastifyReply> {
  const nonce = randomBytes(16).toString('base64')
  const html = await render(nonce)
  if (policy.frameAncestors) reply.removeHeader('x-frame-options') // this header cannot name origins, and browsers may obey it
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', policyText(nonce, policy))
    .send(html)
}

/** Allows our own files, and inline code with the nonce of this response. The policy is the same in development and production. */
function policyText(nonce: string, { sources = {}, frameAncestors = ["'none'"] }: PagePolicy): string {
  const directives: Record<string, readonly string[]> = {
    'default-src': ["'self'"],
    'script-src': ["'self'", `'nonce-${nonce}'`],
    'style-src': ["'self'", `'nonce-${nonce}'`],
    'img-src': ["'self'", 'data:', 'blob:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': frameAncestors,
  }
  for (const [name, added] of Object.entries(sources)) directives[name] = [...(directives[name] ?? ["'self'"]), ...added]
  return Object.entries(directives)
    .map(([name, allowed]) => `${name} ${allowed.join(' ')}`)
    .join('; ')
}
