import { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { formatActor } from '#contract/actors.ts'
import { errorCode } from '#server/platform/error-code.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { acceptJson, bodyLimitBytes } from './body.ts'
import { listCountedNetworks } from './limits.ts'
import { sendProblem } from './problem.ts'
import { liftRequestTimeout, slowBodyCode } from './request-timeout.ts'

/**
 * The maximum numbers of large bodies that one process handles at the same time for the routes of a server: in total, and of one sender.
 * The memory for each is about three times its size. All networks of 64 bits in one IPv6 network of 48 bits together have at most half.
 */
const maxBodies = 8
const maxBodiesOfSender = 2
const maxBodiesOfLargeNetwork = maxBodies / 2
const retryAfterSeconds = 2

/**
 * The bytes of a large body that must arrive in each window, instead of the time limit of other requests. A body that is compressed or has no
 * declared length counts as large; if it is below `minBytes`, it must be complete after one window.
 */
const minArrival = { windowMs: 15_000, minBytes: 128 * 1024 }

/** The maximum number of values in a large JSON body. Such a body is large because of its texts. */
const maxValues = 10_000

/**
 * Parses JSON bodies of up to `maxBytes`, and refuses larger ones with the sentence `tooLarge`. Responds with `too_many_requests` while too
 * many large bodies are being handled. `server` must contain only routes with large bodies.
 */
export function acceptLargeJson(server: FastifyInstance, { maxBytes, tooLarge }: { maxBytes: number; tooLarge: string }): void {
  acceptJson(server, { maxBytes, maxValues })
  limitLargeBodies(server)
  server.setErrorHandler((error, _request, reply) => {
    const isBodyTooLarge = errorCode(error) === 'FST_ERR_CTP_BODY_TOO_LARGE'
    return sendProblem(reply, isBodyTooLarge ? new Refusal('too_large', { fields: { body: tooLarge } }, error) : error)
  })
}

/**
 * Refuses a request before its body is read if too many others are being handled. A request is counted until its response is sent. Requests
 * with small bodies are neither counted nor refused. A body that arrives too slowly gets status 408. `arrival`: other limits, for tests.
 */
export function limitLargeBodies(server: FastifyInstance, arrival = minArrival): void {
  const sendersByRequest = new Map<FastifyRequest, readonly string[]>()
  server.addHook('preParsing', async (request) => {
    if (isSmall(request)) return
    const senders = listSenders(request)
    const running = [...sendersByRequest.values()].flat()
    const isAboveLimit = senders.some(({ name, max }) => running.filter((each) => each === name).length >= max)
    if (sendersByRequest.size >= maxBodies || isAboveLimit)
      throw new Refusal('too_many_requests', { retry_after_seconds: retryAfterSeconds })
    sendersByRequest.set(
      request,
      senders.map(({ name }) => name),
    )
    requireArrival(request, arrival)
  })
  const release = async (request: FastifyRequest): Promise<void> => void sendersByRequest.delete(request)
  server.addHook('onResponse', release)
  server.addHook('onRequestAbort', release)
}

/**
 * Returns the senders of a request, each with its maximum number of large bodies: the owner, or for a visitor its networks, so that one
 * visitor who sends slowly cannot block the others.
 */
const listSenders = ({ identity, ip }: FastifyRequest): { name: string; max: number }[] =>
  identity && identity.actor !== formatActor('visitor')
    ? [{ name: identity.owner, max: maxBodiesOfSender }]
    : listCountedNetworks(ip).map(({ name, limitFactor }) => ({
        name,
        max: Math.min(maxBodiesOfSender * limitFactor, maxBodiesOfLargeNetwork),
      }))

/** Closes the connection with status 408 when too few bytes of the body arrive in a window. Injected requests have no real socket. */
function requireArrival({ raw, server }: FastifyRequest, { windowMs, minBytes }: typeof minArrival): void {
  const { socket } = raw
  if (!(socket instanceof Socket)) return
  liftRequestTimeout(raw)
  let bytesBefore = socket.bytesRead
  const timer = setInterval(() => {
    if (raw.complete || raw.destroyed) return clearInterval(timer)
    const isTooSlow = socket.bytesRead - bytesBefore < minBytes
    bytesBefore = socket.bytesRead
    if (!isTooSlow) return undefined
    clearInterval(timer)
    const error = Object.assign(new Error('The body arrives too slowly'), { code: slowBodyCode })
    server.server.emit('clientError', error, socket)
  }, windowMs)
  timer.unref()
}

/** Whether the declared length of the body is within the limit of other routes. Node reads no more bytes than that length. */
const isSmall = ({ headers }: FastifyRequest): boolean =>
  headers['content-encoding'] === undefined && Number(headers['content-length'] ?? Infinity) <= bodyLimitBytes
