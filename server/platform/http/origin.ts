import type { FastifyRequest } from 'fastify'
import { Refusal } from '#server/platform/refusal.ts'
import { readBearerToken } from './credentials.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Protects against cross-site request forgery: a request with an unsafe method must have our own Origin. A request with a Bearer token is
 * allowed, because no website can send one and its cookies are not read. A program sends no Origin, and is allowed if it sends no cookie.
 * Throws `foreign_origin`.
 */
export function refuseForeignOrigin(request: FastifyRequest, ownOrigin: string): void {
  if (safeMethods.has(request.method) || readBearerToken(request) !== undefined) return
  const { origin, cookie } = request.headers
  if (origin === undefined && cookie === undefined) return
  if (origin === undefined || (origin !== ownOrigin && origin !== readRequestOrigin(request))) throw new Refusal('foreign_origin')
}

/**
 * Returns the origin at which the client opened the server, because it can be another one than the configured address. Undefined if the
 * request names no host.
 */
function readRequestOrigin({ protocol, host }: FastifyRequest): string | undefined {
  const url = host ? URL.parse(`${protocol}://${host}`) : null // `origin` of the URL leaves out the default port
  return url?.origin
}
