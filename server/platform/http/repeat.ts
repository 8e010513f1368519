import { createHash, randomUUID } from 'node:crypto'
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
  if (upload) hash.update(describeUpload(request))
  else hash.update(JSON.stringify(request.body ?? null))
  return { key: session === undefined ? `${actor} ${key}` : key, hash: hash.digest('base64url') }
}

/**
 * Returns the part of the hash that stands for the bytes of an upload, which only the handler reads. It contains the digests that the client
 * sent (`Content-Digest` or `Repr-Digest`, RFC 9530): the response to a repeat says that these bytes are stored, so type and length are not
 * enough. Without a digest the part is different for every request, so that a used key is refused with `request_reused` and bytes are never
 * lost; the write of a request whose COMMIT got no answer is still found. Large files should be sent to routes that replace a numbered part,
 * where a repeat needs no key.
 */
function describeUpload({ headers }: FastifyRequest): string {
  const digests = JSON.stringify([headers['content-digest'], headers['repr-digest']])
  if (!/\bsha-(?:256|512)=:/.test(digests)) return randomUUID() // the other algorithms of RFC 9530 allow collisions
  return `${headers['content-type']} ${headers['content-length']} ${digests}`
}

/**
 * Whether the database may contain the write although this request failed: another request with the same key was faster, or the connection
 * was lost before the commit was confirmed. After `too_many_requests` and `overloaded` the write cannot exist, because the request never
 * started.
 */
export const isPossiblyWritten = (error: unknown): boolean => !(error instanceof Refusal && neverStarted.has(error.code))

const neverStarted: ReadonlySet<string> = new Set(['too_many_requests', 'overloaded'])
