import type { FastifyRequest } from 'fastify'

/**
 * Returns the token of the header `Authorization: Bearer`; an empty text if the header has no token; undefined for a request with another
 * scheme or without the header. A request with a Bearer header has no other credentials: its cookies must not be read.
 */
export function readBearerToken({ headers: { authorization = '' } }: FastifyRequest): string | undefined {
  const [scheme = '', token = ''] = authorization.trim().split(/ +/)
  return scheme.toLowerCase() === 'bearer' ? token : undefined // the names of schemes are case-insensitive (RFC 9110)
}
