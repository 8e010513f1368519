import type { FastifyRequest } from 'fastify'
import { Refusal } from '#server/platform/refusal.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Protects against cross-site request forgery: an unsafe method requires our own Origin. Programs send no Origin and are allowed without a
 * cookie. Throws `foreign_origin`.
 */
export function refuseForeignOrigin(request: FastifyRequest, ownOrigin: string): void {
  if (safeMethods.has(request.method)) return
  const { origin, host, cookie, authorization } = request.headers
  if (origin === undefined) {
    if (cookie !== undefined && authorization === undefined) throw new Refusal('foreign_origin')
    return
  }
  const from = hostOf(origin)
  if (origin !== ownOrigin && (from === undefined || from !== host)) throw new Refusal('foreign_origin')
}

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined)
