import type { FastifyReply } from 'fastify'
import type { Caller } from '#server/platform/database/transaction.ts'
import { Refusal } from '#server/platform/refusal.ts'

/** Returns a signal that aborts when the client disconnects before the response is sent. */
export function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const abort = (): void => {
    if (!raw.writableFinished) controller.abort(new Error('The client disconnected'))
  }
  if (raw.destroyed) abort()
  else raw.once('close', abort)
  return controller.signal
}

/** Returns a signal that aborts when `disconnected` aborts, or with `busy` when the request has waited in queues for `maxWaitSeconds`. */
export function waitSignal(disconnected: AbortSignal, maxWaitSeconds: number, { raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const abort = (): void => controller.abort(new Refusal('busy', { retry_after_seconds: maxWaitSeconds }))
  const timer = setTimeout(abort, maxWaitSeconds * 1000)
  raw.once('close', () => clearTimeout(timer))
  return AbortSignal.any([disconnected, controller.signal])
}

/**
 * Whether the request failed because its client disconnected. For a read any error counts after its signal has aborted, because the abort
 * cancels its queries. For a write only the reason of the signal counts, because a write can be aborted only while it waits in the queue. A
 * reason that is a `Refusal` comes from `waitSignal`.
 */
export const isDisconnect = ({ readSignal, queueSignal }: Caller, error: unknown): boolean =>
  readSignal?.aborted === true || (queueSignal?.aborted === true && error === queueSignal.reason && !(error instanceof Refusal))

/** Ends a request whose client has disconnected, without a response and without an error in the log. */
export function endDisconnected(reply: FastifyReply): FastifyReply {
  reply.log.debug('the client disconnected')
  return reply.hijack()
}
