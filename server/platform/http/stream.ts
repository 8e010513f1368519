import type { FastifyReply } from 'fastify'
import type * as z from 'zod/mini'

/** What a handler of an event route returns: called with a way to send, it answers with a way to stop. */
export type Subscription<Event> = (send: (event: Event) => void) => () => void

const heartbeatMs = 25_000

/**
 * Streams server-sent events until either side leaves, or until the listener may no longer listen, which is asked every 25 s; the
 * comment sent then keeps proxies from closing a quiet stream.
 */
export function sendEvents(
  schema: z.ZodMiniType,
  subscribe: unknown,
  reply: FastifyReply,
  mayListen: () => Promise<boolean>,
): FastifyReply {
  if (!isSubscription(subscribe)) throw new Error('An event route returns a subscription')
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    ...headersOf(reply),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  raw.write(': open\n\n')
  reply.server.openStreams.add(raw)
  const stop = subscribe((event) => raw.write(`data: ${JSON.stringify(schema.parse(event))}\n\n`))
  const beat = async (): Promise<void> => {
    const goesOn = await mayListen().catch(() => true) // the database may be away for a moment
    if (goesOn) raw.write(': \n\n')
    else raw.end()
  }
  const heartbeat = setInterval(() => void beat(), heartbeatMs)
  raw.once('close', () => {
    clearInterval(heartbeat)
    reply.server.openStreams.delete(raw)
    stop()
  })
  return reply
}

const isSubscription = (value: unknown): value is Subscription<unknown> => typeof value === 'function'

function headersOf(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]))
}
