import type { FastifyReply } from 'fastify'
import * as z from 'zod/mini'
import { Refusal } from '#server/platform/refusal.ts'
import { openStream, type Stream } from './stream.ts'
import { problemOf, toRefusal } from './problem.ts'

/** The minimum time between two checks of the permission, because each of them reads the session from the database. */
const checkMs = 1000

type Options = {
  /** The number of the first event that is sent. The `id` of each event is its number. */
  offset: number
  /** Called before an event, at most once a second. When it returns false, the stream ends with the error `not_signed_in`. */
  isAllowed: () => Promise<boolean>
  /**
   * For streams in the format of OpenAI: the data of the last message, such as `[DONE]`, which replaces `event: end`. Events then have no
   * `id`.
   */
  lastData?: string | undefined
  /** Called after the last event. Returns the id of the change set that the request has written. */
  readChangeId: () => string | undefined
}

/**
 * Sends a finite list of numbered events as fast as the client reads them. The last message is `event: end` with the id of the change set,
 * if there is one, or `event: error` with a problem document. A stream that ends without such a message was interrupted; the client sends
 * the request again with `Last-Event-ID`. An error before the first event is sent as an ordinary problem document.
 */
export async function sendEventList(schema: z.ZodMiniType, events: unknown, reply: FastifyReply, options: Options): Promise<FastifyReply> {
  if (!isAsyncIterable(events)) throw new Error('A route that streams events must return an async iterable')
  const iterator = events[Symbol.asyncIterator]()
  let stream: Stream | undefined
  try {
    const first = await iterator.next()
    // when the server stops, it closes the connection at once; the client then sends the request again
    stream = openStream(reply, { isAllowed: options.isAllowed, onServerStop: ({ destroy }) => destroy() })
    await sendMessages({ schema, iterator, first, stream, reply, ...options })
  } finally {
    await iterator.return?.() // ends the list, also when the client has disconnected before the first event
    stream?.end()
  }
  return reply
}

type SendArguments = Options & {
  schema: z.ZodMiniType
  iterator: AsyncIterator<unknown>
  /** The first result of the iterator. */
  first: IteratorResult<unknown>
  stream: Stream
  reply: FastifyReply
}

/** Sends the events and the last message. An error becomes the message `event: error`. */
async function sendMessages({ schema, iterator, first, stream, reply, offset, lastData, readChangeId }: SendArguments): Promise<void> {
  let next = first
  let checkedAt = -Infinity
  try {
    for (let id = offset; !next.done && !stream.isClosed(); id++) {
      if (performance.now() - checkedAt > checkMs) {
        if (!(await stream.isAllowed())) throw new Refusal('not_signed_in')
        checkedAt = performance.now()
      }
      const idLine = lastData === undefined ? `id: ${id}\n` : ''
      await stream.write(`${idLine}data: ${JSON.stringify(z.parse(schema, next.value))}\n\n`)
      if (!stream.isClosed()) next = await iterator.next()
    }
    const end = lastData === undefined ? `event: end\ndata: ${JSON.stringify({ change: readChangeId() })}` : `data: ${lastData}`
    await stream.write(`${end}\n\n`)
  } catch (error) {
    const refusal = toRefusal(error)
    if (refusal.code === 'internal' && !stream.isClosed()) reply.log.error({ err: error }, 'an event stream failed')
    await stream.write(`event: error\ndata: ${JSON.stringify(problemOf(refusal, reply.request.id))}\n\n`)
  }
}

/** Returns the number of the first event that the client has not received, according to its `Last-Event-ID`. */
export function parseLastEventId(lastEventId: string | string[] | undefined): number {
  if (lastEventId === undefined || lastEventId === '') return 0
  if (typeof lastEventId !== 'string' || !/^\d{1,9}$/.test(lastEventId)) throw new Refusal('malformed')
  return Number(lastEventId) + 1
}

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value
