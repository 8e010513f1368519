import { ErrorWithReason } from '../error-with-reason.ts'
import { OutboundFailure } from '../outbound/outbound.ts'
import type { AiFailureReason } from './types.ts'

/**
 * A call of the AI that failed. The message is a sentence for the user. Neither it nor the cause contains what the endpoint has sent,
 * because endpoints repeat keys in their errors.
 */
export class AiFailure extends ErrorWithReason<AiFailureReason> {
  override readonly name = 'AiFailure'
  /** Whether the same request may succeed later: the service has neither refused it nor given a wrong answer. */
  readonly isTemporary: boolean

  constructor(reason: AiFailureReason, message = sentences[reason], cause?: unknown, isTemporary = temporaryReasons.has(reason)) {
    super(reason, message, cause)
    this.isTemporary = isTemporary
  }
}

const temporaryReasons = new Set<AiFailureReason>(['limit', 'no_answer', 'failed'])

const sentences: Record<AiFailureReason, string> = {
  address: 'There is no AI service at this address. It usually ends in /v1.',
  key: 'The AI service refused the key.',
  model: 'The AI service does not know this model.',
  limit: 'The AI service is busy, or its limit is reached. Please try again in a minute.',
  no_answer: 'The AI service did not answer in time.',
  no_tools: 'This model cannot use tools.',
  no_pictures: 'This model cannot read pictures.',
  empty: 'The AI service gave an empty answer.',
  unusable: 'The AI service gave an answer that could not be used.',
  failed: 'The AI service failed. Please try again.',
}

/** `body` is what the endpoint has sent. `hasPictures` and `hasTools` say what the request contained. */
type FailedResponse = { status: number; body: string; hasPictures: boolean; hasTools: boolean }

/** Returns the failure for a response with an error status. */
export function failureOfResponse({ status, body, hasPictures, hasTools }: FailedResponse): AiFailure {
  const cause = new Error(`The AI service responded with status ${status}`)
  const create = (reason: AiFailureReason, message?: string): AiFailure => new AiFailure(reason, message, cause)
  // llama.cpp refuses tools and pictures with status 500
  const isRefusal = status === 400 || status === 422 || status === 501 || (status === 500 && /not support|unsupported|requires/i.test(body))
  if (/insufficient_quota|credit balance/i.test(body)) return create('limit', 'The account at the AI service has no credit left.')
  if (status === 401 || status === 403) return create('key')
  if (status === 404) return create(/model/i.test(body) ? 'model' : 'address')
  if (status === 405) return create('address')
  if (status === 429) return create('limit')
  if (status === 413) return create('unusable', 'This is too large for the AI service.')
  if (!isRefusal) return create('failed')
  if (/context.?length|context window|too long|maximum context/i.test(body))
    return create('unusable', 'This is too long for the model. Start a new conversation, or ask about less.')
  if (hasPictures && /image|vision|picture|multimodal/i.test(body)) return create('no_pictures')
  if (hasTools && /\btools?\b|function/i.test(body)) return create('no_tools')
  // OpenAI gives every refused request the type "invalid_request_error"
  if (/model/i.test(body) && /not (found|exist)|unknown|invalid(?!_request_error)/i.test(body)) return create('model')
  return new AiFailure('failed', undefined, cause, false)
}

/** Returns the failure for an error that a request threw. Only the messages of `AiFailure` and `OutboundFailure` are used. */
export function failureOfError(error: unknown): AiFailure {
  if (error instanceof AiFailure) return error
  const outbound = findOutboundFailure(error)
  if (outbound?.reason === 'too_large') return new AiFailure('unusable', 'The answer of the AI service is too large.', outbound)
  if (outbound?.reason === 'broken_off') return new AiFailure('failed')
  if (outbound) return new AiFailure('address', outbound.message, outbound, outbound.reason === 'unreachable')
  if (error instanceof Error && ['TimeoutError', 'AbortError'].includes(error.name)) return new AiFailure('no_answer')
  return new AiFailure('failed')
}

/** Returns the `OutboundFailure` among an error and its causes. */
function findOutboundFailure(error: unknown): OutboundFailure | undefined {
  if (error instanceof OutboundFailure) return error
  return error instanceof Error && error.cause !== undefined ? findOutboundFailure(error.cause) : undefined
}
