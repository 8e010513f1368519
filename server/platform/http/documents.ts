import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Pages } from './pages.ts'
import type { Screen } from './screens.ts'

type Parts = {
  pages: Pages
  screens: readonly Screen[]
  address: string
  now: () => Date
  isSignedIn: (request: FastifyRequest) => Promise<boolean>
}

/** Serves every HTML document: the landing page, the application and the not-found page. */
export function serveDocuments(server: FastifyInstance, { pages, screens, address, now, isSignedIn }: Parts): void {
  server.get('/', async (request, reply) => {
    if (await isSignedIn(request)) return reply.redirect('/dashboard')
    return sendDocument(reply, 200, (nonce) => pages.landing({ year: now().getUTCFullYear(), address }, nonce))
  })
  for (const { path, isPublic = false } of screens) {
    const send = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const isAllowed = isPublic || (await isSignedIn(request))
      if (!isAllowed) return reply.redirect(`/auth?next=${encodeURIComponent(request.url)}`)
      return sendDocument(reply, 200, (nonce) => pages.application(request.url, nonce))
    }
    server.get(path, send)
    server.get(`${path}/*`, send)
  }
}

/** The page for an unknown address. */
export const sendNotFoundPage = (reply: FastifyReply, pages: Pages): Promise<FastifyReply> =>
  sendDocument(reply, 404, (nonce) => pages.notFound(nonce))

async function sendDocument(reply: FastifyReply, status: number, render: (nonce: string) => Promise<string>): Promise<FastifyReply> {
  const nonce = randomBytes(16).toString('base64')
  const html = await render(nonce)
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', policy(nonce))
    .send(html)
}

/** Allows our own files and inline code with the nonce of this answer; the same in development and production. */
function policy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
