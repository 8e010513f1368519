import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '#server/platform/refusal.ts'

/** What makes a repeated write known: the caller's Idempotency-Key and a hash of what was asked. */
export type Attempt = { key: string; hash: string }

/** The `Idempotency-Key` of a write, if the caller sent one. */
export function attemptOf(request: FastifyRequest): Attempt | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,100}$/.test(key)) {
    throw new Refusal('invalid', { fields: { 'Idempotency-Key': 'Up to 100 visible characters' } })
  }
  const asked = `${request.method} ${request.url}\n${JSON.stringify(request.body ?? null)}`
  return { key, hash: createHash('sha256').update(asked).digest('base64url') }
}
