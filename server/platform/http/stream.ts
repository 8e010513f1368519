import type { FastifyReply } from 'fastify'
import type * as z from 'zod/mini'

/** What a handler of an event route returns: called with a way to send, it answers with a way to stop. */
type Subscription<Event> = (send: (event: Event) => void) => () => void

const heartbeatMs = 25_000
/** What may wait for a listener that reads slowly. */
const mostWaitingBytes = 1024 * 1024

/**
 * Streams server-sent events until either side leaves, or until the listener may no longer listen, which is asked before everything
 * that is sent; the comment sent every 25 s keeps proxies from closing a quiet stream.
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
  const tell = async (text: string): Promise<void> => {
    const goesOn = await mayListen().catch(() => true) // the database may be away for a moment
    if (raw.writableEnded) return // a write behind the end would end the process
    if (raw.writableLength > mostWaitingBytes) raw.destroy() // whoever comes back asks for everything anew
    else if (goesOn) raw.write(text)
    else finish()
  }
  const stop = subscribe((event) => void tell(`data: ${JSON.stringify(schema.parse(event))}\n\n`))
  const heartbeat = setInterval(() => void tell(': \n\n'), heartbeatMs)
  const finish = (): void => {
    clearInterval(heartbeat)
    reply.server.openStreams.delete(raw)
    stop()
    raw.end()
  }
  raw.once('close', finish)
  if (raw.destroyed) finish() // the asker left before: that is not told again
  return reply
}

const isSubscription = (value: unknown): value is Subscription<unknown> => typeof value === 'function'

function headersOf(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]))
}
