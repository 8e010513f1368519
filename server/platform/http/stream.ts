import { once } from 'node:events'
import type { FastifyReply } from 'fastify'
import type * as z from 'zod/mini'

/** The result of the handler of an event route: a function that starts to send events, and resolves to the function that stops them. */
type Subscription<Event> = (send: (event: Event) => void) => Promise<() => void>

/** Proxies usually close a connection after 30 or 60 s without data. */
const heartbeatMs = 25_000
/** How often a stream without events checks its permission. It thus ends soon after its session has ended or its account was deleted. */
const checkMs = 5000
/** A client is disconnected when more bytes than this wait for it. */
const maxQueuedBytes = 1024 * 1024

/** An open response of server-sent events. */
export type Stream = {
  /** Whether the client may still receive events. Also true while the database cannot be read. */
  isAllowed: () => Promise<boolean>
  /** Resolves when the client can receive more, or has disconnected. */
  write: (text: string) => Promise<void>
  /** Returns the number of bytes that wait for the client. */
  countWaitingBytes: () => number
  isClosed: () => boolean
  end: () => void
  /** Closes the connection immediately. */
  destroy: () => void
}

type StreamOptions = {
  /** Whether the client may still receive events. Called every 5 s. `sendEvents` and `sendEventList` call it too, before writes. */
  isAllowed: () => Promise<boolean>
  /** Called once when the stream is closed by either side. */
  onClose?: () => void
  /** Called when the server stops. Must end the stream; by default it calls `end`. */
  onServerStop?: (stream: Stream) => void
}

/**
 * Begins a response of server-sent events. A comment every 25 s keeps proxies from closing an idle stream. Closes the connection when the
 * server stops.
 */
export function openStream(
  reply: FastifyReply,
  { isAllowed, onClose = () => {}, onServerStop = ({ end }) => end() }: StreamOptions,
): Stream {
  reply.hijack()
  const { raw, server } = reply
  raw.writeHead(200, {
    ...headersOf(reply),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  raw.write(': open\n\n')
  const stream: Stream = {
    isAllowed: () => isAllowed().catch(() => true), // the database may be unavailable for a moment
    isClosed: () => raw.writableEnded || raw.destroyed,
    countWaitingBytes: () => raw.writableLength,
    write: async (text) => {
      if (stream.isClosed() || raw.write(text)) return // a write after the end would crash the process
      const disconnected = new AbortController()
      const abort = (): void => disconnected.abort()
      raw.once('close', abort)
      await once(raw, 'drain', { signal: disconnected.signal }).catch(() => {})
      raw.off('close', abort)
    },
    end: () => {
      close()
      raw.end()
    },
    destroy: () => void raw.destroy(),
  }
  let isChecking = false
  const check = async (): Promise<void> => {
    if (isChecking) return // the database responds slowly, and more checks would delay requests
    isChecking = true
    if (!(await stream.isAllowed())) stream.end()
    isChecking = false
  }
  const sendHeartbeat = (): void => {
    const isReading = raw.writableLength === 0 // without reading, a write would delay `closeUnreadResponses`
    if (isReading && !stream.isClosed()) raw.write(': \n\n')
  }
  const timers = [setInterval(() => void check(), checkMs), setInterval(sendHeartbeat, heartbeatMs)]
  const openStreamEntry = { end: () => onServerStop(stream) }
  server.openStreams.add(openStreamEntry)
  let isOpen = true
  const close = (): void => {
    if (!isOpen) return
    isOpen = false
    for (const timer of timers) clearInterval(timer)
    server.openStreams.delete(openStreamEntry)
    onClose()
  }
  raw.once('close', close)
  if (raw.destroyed) close() // the client has disconnected already, and 'close' is not emitted again
  return stream
}

/**
 * Streams events until either side closes the connection, or until `isAllowed` returns false before a write. A client that reads too slowly
 * is disconnected. The subscription ends exactly once, also when the client has disconnected before the stream is open. An error of
 * `subscribe` is sent as an ordinary problem document.
 */
export async function sendEvents(
  schema: z.ZodMiniType,
  subscribe: unknown,
  reply: FastifyReply,
  isAllowed: () => Promise<boolean>,
): Promise<FastifyReply> {
  if (!isSubscription(subscribe)) throw new Error('An event route must return a subscription')
  let openedStream: Stream | undefined
  let queue = ''
  let isSending = false
  /** Sends the events of the queue in order, although the permission check before each write is asynchronous. */
  const sendQueue = async (stream: Stream): Promise<void> => {
    if (queue.length + stream.countWaitingBytes() > maxQueuedBytes) stream.destroy() // the client reconnects and loads everything again
    if (isSending) return
    isSending = true
    while (queue !== '' && !stream.isClosed()) {
      const queuedText = queue
      queue = ''
      if (await stream.isAllowed()) void stream.write(queuedText)
      else stream.end()
    }
    isSending = false
  }
  const stop = await subscribe((event) => {
    queue += `data: ${JSON.stringify(schema.parse(event))}\n\n`
    if (openedStream) void sendQueue(openedStream)
  })
  try {
    openedStream = openStream(reply, { isAllowed, onClose: stop })
  } catch (error) {
    stop()
    throw error
  }
  void sendQueue(openedStream)
  return reply
}

const isSubscription = (value: unknown): value is Subscription<unknown> => typeof value === 'function'

function headersOf(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]))
}
