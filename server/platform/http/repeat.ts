import { createHash, randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Route } from '#contract/route.ts'
import { Refusal } from '#server/platform/refusal.ts'
import type { RequestIdentity } from './identity.ts'

// A client that got no response sends a write again with the same Idempotency-Key. The write must then not be made twice.

/** What identifies a repeated write: the key that the client sent, and a hash of the request. */
export type Idempotency = { key: string; hash: string }

/**
 * Reads the `Idempotency-Key` of a write; undefined if the client sent none. The key of a request without a session is prefixed with the
 * actor, because two actors may use the same key. Throws `invalid` for a malformed key, and for a missing key if the route requires one.
 */
export function readIdempotencyKey(
  request: FastifyRequest,
  { requiresIdempotencyKey, upload }: Route,
  { session, actor }: RequestIdentity,
): Idempotency | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined && !requiresIdempotencyKey) return undefined
  // the visible characters of ASCII
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,100}$/.test(key)) {
    throw new Refusal('invalid', { fields: { 'Idempotency-Key': 'Send 1 to 100 visible characters' } })
  }
  const hash = createHash('sha256').update(`${request.method} ${request.url}\n`)
  if (upload) hash.update(describeUpload(request))
  else hash.update(JSON.stringify(request.body ?? null))
  return { key: session === undefined ? `${actor} ${key}` : key, hash: hash.digest('base64url') }
}

/**
 * Returns the part of the hash that stands for the bytes of an upload, which are not read yet: their type, their length and the digests
 * that the client sent (`Content-Digest` or `Repr-Digest`, RFC 9530). Type and length alone are not enough, because the response to a
 * repeated request says that its bytes are stored. Without a digest the result is random, so that a second request with the same key is
 * refused with `request_reused`, and the client is never told wrongly that the bytes are stored.
 */
function describeUpload({ headers }: FastifyRequest): string {
  const digests = JSON.stringify([headers['content-digest'], headers['repr-digest']])
  if (!/\bsha-(?:256|512)=:/.test(digests)) return randomUUID() // the other algorithms of RFC 9530 allow collisions
  return `${headers['content-type']} ${headers['content-length']} ${digests}`
}

/**
 * Whether the database may contain the write although this request failed: another request with the same key may have made it, or the
 * connection was lost before the commit was confirmed. After `too_many_requests` and `overloaded` this need not be checked, because the
 * transaction did not start.
 */
export const isPossiblyWritten = (error: unknown): boolean => !(error instanceof Refusal && codesBeforeStart.has(error.code))

const codesBeforeStart: ReadonlySet<string> = new Set(['too_many_requests', 'overloaded'])
