import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { NamedFile } from '#contract/route.ts'
import { Refusal } from '#server/platform/refusal.ts'

/** Most files that one owner is sent at a time: each keeps what it is made of in memory until it is taken. */
const mostFiles = 4
const retryAfterSeconds = 30
/** How long somebody may take nothing. */
const patienceMs = 60_000

const beingSent = new Map<string, number>()

type Receiver = { owner: string; patienceMs?: number }

/**
 * Sends a file as it is made. What fails before its first part is still answered with a problem document. Whoever takes nothing for a
 * minute is cut off. Throws `too_many_requests` when the owner is being sent as many files as one may be.
 */
export async function sendFile(type: string, result: unknown, reply: FastifyReply, receiver: Receiver): Promise<FastifyReply> {
  if (!isNamedFile(result)) throw new Error('A file route returns a file')
  const parts = countedFor(receiver.owner, result.parts)
  const first = await parts.next()
  reply.raw.setTimeout(receiver.patienceMs ?? patienceMs, () => reply.raw.destroy())
  return reply
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${result.name}"`)
    .type(`${type}; charset=utf-8`)
    .send(Readable.from(allOf(first, parts)))
}

/** Counts a file from its first part on until it is over, however it ends. */
async function* countedFor(owner: string, parts: AsyncIterable<string>): AsyncGenerator<string> {
  const count = beingSent.get(owner) ?? 0
  if (count >= mostFiles) throw new Refusal('too_many_requests', { retry_after_seconds: retryAfterSeconds })
  beingSent.set(owner, count + 1)
  try {
    yield* parts
  } finally {
    const left = (beingSent.get(owner) ?? 1) - 1
    if (left > 0) beingSent.set(owner, left)
    else beingSent.delete(owner)
  }
}

/** What makes the parts is told when nobody takes them any more, even when that was so before anything was taken. */
function allOf(first: IteratorResult<string>, parts: AsyncGenerator<string>): AsyncIterable<string> {
  let isFirst = true
  const next = (): Promise<IteratorResult<string>> => {
    if (!isFirst) return parts.next()
    isFirst = false
    return Promise.resolve(first)
  }
  return { [Symbol.asyncIterator]: () => ({ next, return: () => parts.return(undefined) }) }
}

const isNamedFile = (value: unknown): value is NamedFile =>
  typeof value === 'object' && value !== null && 'name' in value && 'parts' in value
