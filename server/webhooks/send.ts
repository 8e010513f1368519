import type { AppContext } from '#server/platform/feature/context.ts'
import { OutboundFailure } from '#server/platform/outbound/outbound.ts'
import { toBody, type SentTable } from './body.ts'
import type { Attempt, DueDelivery } from './deliveries.store.ts'
import { signMessage } from './sign.ts'

/** The endpoint to which deliveries are sent. `secret` is undefined if it can no longer be read. */
export type Receiver = { url: string; secret: string | undefined; tables: readonly SentTable[] }

type Services = Pick<AppContext, 'outbound' | 'now'>
type Outcome = { status: number | null; problem: string | null; retryAfterMs?: number; isReceiverDown?: boolean }

/** A delivery is tried for this time after it was queued, and then fails. */
export const giveUpAfterMs = 3 * 24 * 60 * 60 * 1000
/** The receiver must answer within this time. */
let timeoutMs = 15_000
/** Sets the time within which receivers must answer. Tests lower it. */
export function setReceiverTimeout(newTimeoutMs: number): void {
  timeoutMs = newTimeoutMs
}
/** `outbound` requires a limit for the body of a response, in bytes. The body is not read. */
const maxBytes = 64 * 1024
const firstPauseMs = 10_000
const maxPauseMs = 60 * 60_000

/** Returns the pause of a delivery after a number of failed attempts. */
const retryPauseMs = (attempts: number): number => Math.min(maxPauseMs, firstPauseMs * 2 ** Math.min(attempts - 1, 20))

/** What happened to a delivery. `isReceiverDown`: other deliveries would fail too. `isGone`: the receiver wants no further ones. */
export type SendResult = Attempt & { isReceiverDown: boolean; isGone: boolean }

/** Sends a delivery once. Returns undefined if the signal has aborted the attempt, which is then repeated with the same id. */
export async function sendDelivery(
  { outbound, now }: Services,
  receiver: Receiver,
  delivery: DueDelivery,
  signal: AbortSignal,
): Promise<SendResult | undefined> {
  const { id, record_id, queued_at } = delivery
  const attempts = delivery.attempts + 1
  const body = toBody(receiver.tables, delivery)
  const failed = { id, record_id, queued_at, attempts, next_at: now(), status: 'failed', response_status: null, duration_ms: null } as const
  const flags = { isReceiverDown: false, isGone: false }
  if (body === undefined) return { ...failed, ...flags, problem: 'The history of this change was erased.' }
  if (receiver.secret === undefined) return { ...failed, ...flags, problem: 'The secret can no longer be read. Replace it and send again.' }
  const startedAt = performance.now()
  const outcome = await post(outbound, receiver.url, { ...signMessage(receiver.secret, id, body, now()) }, body, signal)
  if (outcome === undefined) return undefined
  const { status, problem, retryAfterMs = 0, isReceiverDown = false } = outcome
  const next_at = new Date(now().getTime() + Math.max(retryPauseMs(attempts), retryAfterMs))
  const isLate = next_at.getTime() > Date.parse(queued_at) + giveUpAfterMs
  return {
    id,
    record_id,
    queued_at,
    attempts,
    next_at,
    status: problem === null ? 'delivered' : isLate ? 'failed' : 'waiting',
    response_status: status,
    problem,
    duration_ms: Math.round(performance.now() - startedAt),
    isReceiverDown,
    isGone: status === 410,
  }
}

async function post(
  outbound: AppContext['outbound'],
  url: string,
  signature: Record<string, string>,
  body: string,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  const timeout = AbortSignal.timeout(timeoutMs)
  const headers = { 'content-type': 'application/json', 'user-agent': 'Foyer-Webhooks', ...signature }
  try {
    const response = await outbound(url, { method: 'POST', headers, body, maxBytes, signal: AbortSignal.any([signal, timeout]) })
    await response.body?.cancel()
    const { status } = response
    if (response.ok) return { status, problem: null }
    const isReceiverDown = status >= 500 || status === 429
    return { status, problem: `The receiver answered with status ${status}.`, isReceiverDown, retryAfterMs: readRetryAfterMs(response) }
  } catch (error) {
    if (timeout.aborted)
      return { status: null, problem: `The receiver did not answer within ${timeoutMs / 1000} seconds.`, isReceiverDown: true }
    if (signal.aborted) return undefined
    if (!(error instanceof OutboundFailure)) throw error
    return { status: null, problem: error.message, isReceiverDown: true }
  }
}

/** Reads a `Retry-After` in seconds, of at most an hour. */
function readRetryAfterMs({ headers }: Response): number {
  const seconds = Number(headers.get('retry-after') ?? 0)
  return Number.isFinite(seconds) ? Math.min(maxPauseMs, Math.max(0, seconds * 1000)) : 0
}
