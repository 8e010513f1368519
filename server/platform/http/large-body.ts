import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errorCode } from '#server/platform/error-code.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { acceptJson, bodyLimitBytes } from './body.ts'
import { sendProblem } from './problem.ts'

/**
 * The maximum numbers of large bodies that one process handles at the same time: in total, and of one owner. The memory for each is about
 * three times its size.
 */
const maxBodies = 8
const maxBodiesOfOwner = 2
const retryAfterSeconds = 2

/**
 * Parses JSON bodies of up to `maxBytes`, and refuses larger ones with the sentence `tooLarge`. Responds with `too_many_requests` while too
 * many large bodies are being handled. `server` must contain only routes with large bodies.
 */
export function acceptLargeJson(server: FastifyInstance, { maxBytes, tooLarge }: { maxBytes: number; tooLarge: string }): void {
  acceptJson(server, maxBytes)
  limitBodies(server)
  server.setErrorHandler((error, _request, reply) => {
    const isBodyTooLarge = errorCode(error) === 'FST_ERR_CTP_BODY_TOO_LARGE'
    return sendProblem(reply, isBodyTooLarge ? new Refusal('too_large', { fields: { body: tooLarge } }, error) : error)
  })
}

/**
 * Refuses a request before its body is read if too many others are being handled. A request is counted until its response is sent, unless
 * its body is not larger than those of other routes.
 */
function limitBodies(server: FastifyInstance): void {
  const owners = new Map<FastifyRequest, string>()
  server.addHook('preParsing', async (request) => {
    if (isSmall(request)) return
    const owner = request.identity?.owner ?? ''
    const countOfOwner = [...owners.values()].filter((each) => each === owner).length
    if (owners.size >= maxBodies || countOfOwner >= maxBodiesOfOwner)
      throw new Refusal('too_many_requests', { retry_after_seconds: retryAfterSeconds })
    owners.set(request, owner)
  })
  const release = async (request: FastifyRequest): Promise<void> => void owners.delete(request)
  server.addHook('onResponse', release)
  server.addHook('onRequestAbort', release)
}

/** Whether the client says that the body has at most as many bytes as those of other routes, so that no more are read. */
const isSmall = ({ headers }: FastifyRequest): boolean =>
  headers['content-encoding'] === undefined && Number(headers['content-length'] ?? Infinity) <= bodyLimitBytes
