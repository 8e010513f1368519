import type { FastifyRequest } from 'fastify'
import { Refusal } from '#server/platform/refusal.ts'
import { readApiKey, readBearerToken } from './credentials.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Protects against cross-site request forgery: throws `foreign_origin` if a request that may write does not have our own Origin. A request
 * with a Bearer token or an API key is allowed, because another website cannot send it, and the cookies of such a request are not read. A
 * request without Origin and without cookies is allowed too, because it comes from a program and not from a browser.
 */
export function refuseForeignOrigin(request: FastifyRequest, ownOrigin: string): void {
  if (safeMethods.has(request.method) || readBearerToken(request) !== undefined || readApiKey(request) !== undefined) return
  const { origin, cookie } = request.headers
  if (origin === undefined && cookie === undefined) return
  if (origin === undefined || (origin !== ownOrigin && origin !== readRequestOrigin(request))) throw new Refusal('foreign_origin')
}

/**
 * Returns the origin under which the client reached the server, which can be another one than the configured address. Undefined if the
 * request names no host.
 */
function readRequestOrigin({ protocol, host }: FastifyRequest): string | undefined {
  const url = host ? URL.parse(`${protocol}://${host}`) : null // `origin` of the URL leaves out the default port
  return url?.origin
}
