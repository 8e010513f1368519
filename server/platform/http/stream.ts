import type { FastifyReply } from 'fastify'
import type * as z from 'zod/mini'

/** Result of the handler of an event route: starts to send events and returns the function that stops. */
type Subscription<Event> = (send: (event: Event) => void) => () => void

const heartbeatMs = 25_000
/** Most bytes that wait for a client that reads slowly. */
const maxQueuedBytes = 1024 * 1024

/**
 * Streams server-sent events until either side closes, or until `isAllowed`, called before each event, is false. A comment every 25 s
 * keeps proxies from closing a quiet stream.
 */
export function sendEvents(
  schema: z.ZodMiniType,
  subscribe: unknown,
  reply: FastifyReply,
  isAllowed: () => Promise<boolean>,
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
  let queue = ''
  let isSending = false
  /** Sends in the order of the calls, although the permission is looked up before each write. */
  const enqueue = async (text: string): Promise<void> => {
    queue += text
    if (queue.length + raw.writableLength > maxQueuedBytes) raw.destroy() // the client reconnects and loads everything again
    if (isSending) return
    isSending = true
    while (queue !== '' && !raw.writableEnded) {
      const texts = queue
      queue = ''
      const allowed = await isAllowed().catch(() => true) // the database may be unavailable for a moment
      if (raw.writableEnded || raw.destroyed) break // a write after the end would end the process
      if (allowed) raw.write(texts)
      else finish()
    }
    isSending = false
  }
  const stop = subscribe((event) => void enqueue(`data: ${JSON.stringify(schema.parse(event))}\n\n`))
  const heartbeat = setInterval(() => void enqueue(': \n\n'), heartbeatMs)
  const finish = (): void => {
    clearInterval(heartbeat)
    reply.server.openStreams.delete(raw)
    stop()
    raw.end()
  }
  raw.once('close', finish)
  if (raw.destroyed) finish() // the client disconnected before: 'close' is not emitted again
  return reply
}

const isSubscription = (value: unknown): value is Subscription<unknown> => typeof value === 'function'

function headersOf(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]))
}
