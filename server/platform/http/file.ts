import { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyReply } from 'fastify'
import type { NamedFile } from '#contract/route.ts'
import type { SharedSlots } from '#server/platform/database/shared-slots.ts'
import { Refusal } from '#server/platform/refusal.ts'

/**
 * The maximum number of generated files that all processes together send to one owner at a time. Each transfer keeps a page of rows in
 * memory.
 */
const maxFilesOfOwner = 4
const retryAfterSeconds = 30

/** The owner that gets a file, and the shared slots, which limit the transfers in all processes together. */
type Receiver = { owner: string; slots: SharedSlots }

/**
 * Sends a file while it is generated. Throws `too_many_requests` when four files are being sent to the owner. `open` returns the file; it
 * is called only after that check, because it may need much time and memory.
 */
export async function sendFile(type: string, open: () => Promise<unknown>, reply: FastifyReply, receiver: Receiver): Promise<FastifyReply> {
  await using resources = new AsyncDisposableStack()
  resources.defer(await takeSlot(receiver))
  const result = await open()
  if (!isNamedFile(result)) throw new Error('The handler of a file route must return a file')
  const headers = {
    'cache-control': 'no-store',
    'content-disposition': contentDisposition(result.name),
    'content-type': type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    ...(result.size !== undefined && { 'content-length': result.size }),
  }
  const chunks = result.size === undefined ? result.chunks : requireSize(result.chunks, result.size)
  return sendChunks(disposeAfter(chunks, resources.move()), headers, reply)
}

/**
 * Sends chunks as fast as the client reads them. An error before the first chunk is sent as a problem document without `headers`. A later
 * error closes the connection.
 */
export async function sendChunks<Chunk extends string | Uint8Array>(
  chunks: AsyncGenerator<Chunk>,
  headers: Record<string, string | number>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const first = await chunks.next()
  return reply.headers(headers).send(Readable.from(startWith(first, chunks)))
}

/** Takes one of the owner's slots. Returns the function that releases it. */
async function takeSlot({ owner, slots }: Receiver): Promise<() => Promise<void>> {
  const releaseSlot = await slots.tryTake(`files of ${owner}`, maxFilesOfOwner)
  if (!releaseSlot) throw new Refusal('too_many_requests', { retry_after_seconds: retryAfterSeconds })
  return releaseSlot
}

/** Disposes of the resources when the file ends or fails. */
async function* disposeAfter<Chunk>(chunks: AsyncIterable<Chunk>, resources: AsyncDisposableStack): AsyncGenerator<Chunk> {
  try {
    yield* chunks
  } finally {
    await resources.disposeAsync()
  }
}

/** Throws when the file ends before `size` bytes or has more, so that the connection is closed and the client sees the failure. */
async function* requireSize<Chunk extends string | Uint8Array>(chunks: AsyncIterable<Chunk>, size: number): AsyncGenerator<Chunk> {
  let missingBytes = size
  for await (const chunk of chunks) {
    missingBytes -= typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.byteLength
    if (missingBytes < 0) break
    yield chunk
  }
  if (missingBytes !== 0) throw new Error('A file does not have the size that it was announced with')
}

/** Returns the first chunk and then all others. Closes the generator when the client disconnects, even before the first chunk is read. */
function startWith<Chunk>(first: IteratorResult<Chunk>, chunks: AsyncGenerator<Chunk>): AsyncIterable<Chunk> {
  let isFirst = true
  const next = (): Promise<IteratorResult<Chunk>> => {
    if (!isFirst) return chunks.next()
    isFirst = false
    return Promise.resolve(first)
  }
  return { [Symbol.asyncIterator]: () => ({ next, return: () => chunks.return(undefined) }) }
}

const isNamedFile = (value: unknown): value is NamedFile =>
  typeof value === 'object' && value !== null && 'name' in value && 'chunks' in value
