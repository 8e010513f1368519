import type { FastifyInstance, FastifyRequest } from 'fastify'
import { formatActor } from '#contract/actors.ts'
import { errorCode } from '#server/platform/error-code.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { acceptJson, bodyLimitBytes } from './body.ts'
import { networkOf } from './limits.ts'
import { sendProblem } from './problem.ts'

/**
 * The maximum numbers of large bodies that one process handles at the same time for the routes of a server: in total, and of one sender.
 * The memory for each is about three times its size.
 */
const maxBodies = 8
const maxBodiesOfSender = 2
const retryAfterSeconds = 2

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
 * with small bodies are neither counted nor refused.
 */
export function limitLargeBodies(server: FastifyInstance): void {
  const senders = new Map<FastifyRequest, string>()
  server.addHook('preParsing', async (request) => {
    if (isSmall(request)) return
    const sender = senderOf(request)
    const countOfSender = [...senders.values()].filter((each) => each === sender).length
    if (senders.size >= maxBodies || countOfSender >= maxBodiesOfSender)
      throw new Refusal('too_many_requests', { retry_after_seconds: retryAfterSeconds })
    senders.set(request, sender)
  })
  const release = async (request: FastifyRequest): Promise<void> => void senders.delete(request)
  server.addHook('onResponse', release)
  server.addHook('onRequestAbort', release)
}

/** Returns the owner; for visitors their network, so that one of them cannot stop the others by sending slowly. */
const senderOf = ({ identity, ip }: FastifyRequest): string =>
  identity && identity.actor !== formatActor('visitor') ? identity.owner : networkOf(ip)

/** Whether the declared length of the body is within the limit of other routes. Node reads no more bytes than that length. */
const isSmall = ({ headers }: FastifyRequest): boolean =>
  headers['content-encoding'] === undefined && Number(headers['content-length'] ?? Infinity) <= bodyLimitBytes
