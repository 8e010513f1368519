import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Route } from '#contract/route.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { RequestIdentity } from './identity.ts'

/** Identifies a repeated write: the client's Idempotency-Key and a hash of the request. */
export type Idempotency = { key: string; hash: string }

/**
 * Reads the `Idempotency-Key` of a write, if the client sent one. The key of a request without a session is prefixed with the actor, so
 * that equal keys of different actors stay different. Throws `invalid` for a malformed key, and for a missing key if the route requires
 * one.
 */
export function readIdempotencyKey(
  request: FastifyRequest,
  { requiresIdempotencyKey, upload }: Route,
  { session, actor }: RequestIdentity,
): Idempotency | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined && !requiresIdempotencyKey) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,100}$/.test(key)) {
    throw new Refusal('invalid', { fields: { 'Idempotency-Key': 'Send 1 to 100 visible characters' } })
  }
  const hash = createHash('sha256').update(`${request.method} ${request.url}\n`)
  // the bytes of the upload have not been read yet
  if (upload) hash.update(`${request.headers['content-type']} ${request.headers['content-length']}`)
  else hash.update(JSON.stringify(request.body ?? null))
  return { key: session === undefined ? `${actor} ${key}` : key, hash: hash.digest('base64url') }
}

/**
 * Whether the database may contain the write although this request failed: another request with the same key was faster, or the connection
 * was lost before the commit was confirmed. After `too_many_requests` the write cannot exist, because the request never started.
 */
export const isPossiblyWritten = (error: unknown): boolean => !(error instanceof Refusal && error.code === 'too_many_requests')
