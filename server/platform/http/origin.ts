import type { FastifyRequest } from 'fastify'
import { Refusal } from '#server/platform/refusal.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Protects against cross-site request forgery: a request with an unsafe method must have our own Origin. A program sends no Origin; such a
 * request is allowed if it has no cookie, or if it has an Authorization header, because no website can send one. Throws `foreign_origin`.
 */
export function refuseForeignOrigin(request: FastifyRequest, ownOrigin: string): void {
  if (safeMethods.has(request.method)) return
  const { origin, host, cookie, authorization } = request.headers
  if (origin === undefined) {
    if (cookie !== undefined && authorization === undefined) throw new Refusal('foreign_origin')
    return
  }
  const originHost = hostOf(origin)
  const isSameHost = originHost !== undefined && originHost === host // the server was opened at another address than the configured one
  if (origin !== ownOrigin && !isSameHost) throw new Refusal('foreign_origin')
}

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined)
