import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { NamedFile } from '#contract/route.ts'
import type { SharedSlots } from '#server/platform/database/shared-slots.ts'
import { Refusal } from '#server/platform/refusal.ts'

/** Most files that all processes together send to one owner at a time: each keeps a page of rows in memory. */
const maxFilesOfOwner = 4
const retryAfterSeconds = 30
/** Longest time in which the client reads nothing. */
const idleTimeoutMs = 60_000

type FileRequest = { owner: string; slots: SharedSlots; idleTimeoutMs?: number }

/**
 * Sends a file while it is generated. An error before its first chunk is still answered with a problem document. Closes the connection
 * when the client reads nothing for 60 s. Throws `too_many_requests` when four files are being sent to the owner.
 */
export async function sendFile(type: string, result: unknown, reply: FastifyReply, receiver: FileRequest): Promise<FastifyReply> {
  if (!isNamedFile(result)) throw new Error('A file route returns a file')
  const chunks = limitFiles(receiver, result.chunks)
  const first = await chunks.next()
  reply.raw.setTimeout(receiver.idleTimeoutMs ?? idleTimeoutMs, () => reply.raw.destroy())
  return reply
    .header('cache-control', 'no-store')
    .header('content-disposition', `attachment; filename="${result.name}"`)
    .type(`${type}; charset=utf-8`)
    .send(Readable.from(startWith(first, chunks)))
}

/** Holds one of the owner's slots from before the first chunk until the file ends or fails. */
async function* limitFiles({ owner, slots }: FileRequest, chunks: AsyncIterable<string>): AsyncGenerator<string> {
  const free = await slots.tryTake(`files of ${owner}`, maxFilesOfOwner)
  if (!free) throw new Refusal('too_many_requests', { retry_after_seconds: retryAfterSeconds })
  try {
    yield* chunks
  } finally {
    await free()
  }
}

/** Puts the first chunk back. Returns the generator when the client disconnects, even before the first chunk is read. */
function startWith(first: IteratorResult<string>, chunks: AsyncGenerator<string>): AsyncIterable<string> {
  let isFirst = true
  const next = (): Promise<IteratorResult<string>> => {
    if (!isFirst) return chunks.next()
    isFirst = false
    return Promise.resolve(first)
  }
  return { [Symbol.asyncIterator]: () => ({ next, return: () => chunks.return(undefined) }) }
}

const isNamedFile = (value: unknown): value is NamedFile =>
  typeof value === 'object' && value !== null && 'name' in value && 'chunks' in value
