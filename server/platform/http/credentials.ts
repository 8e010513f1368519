import type { FastifyRequest } from 'fastify'

/**
 * Returns the token of the header `Authorization: Bearer`; an empty text if the header has no token; undefined for a request with another
 * scheme or without the header. A request with a Bearer header has no other credentials: its cookies must not be read.
 */
export function readBearerToken({ headers: { authorization = '' } }: FastifyRequest): string | undefined {
  const [scheme = '', token = ''] = authorization.trim().split(/ +/)
  return scheme.toLowerCase() === 'bearer' ? token : undefined // the names of schemes are case-insensitive (RFC 9110)
}

/**
 * Returns the API key of the header `x-api-key` or `Authorization: Bearer`; undefined for a request without an API key. A request with an
 * API key has no other credentials. An API key is `sk_` with hexadecimal digits; a random session token practically never has this form.
 */
export function readApiKey(request: FastifyRequest): string | undefined {
  const header = request.headers['x-api-key']
  if (header !== undefined) return typeof header === 'string' ? header.trim() : ''
  const token = readBearerToken(request)
  return token !== undefined && /^sk_[\da-f]*$/.test(token) ? token : undefined
}
