import { ErrorWithReason } from '#server/platform/error-with-reason.ts'

/**
 * Why a request to another CRM failed. `waiting`: the CRM asks to wait. `limit`: the requests of the day are used
 * up. `endless`: the CRM sends page after page without new contacts, or more organisations than any account has.
 */
export type CrmFailureReason =
  | 'address'
  | 'redirect'
  | 'key'
  | 'key_lost'
  | 'limit'
  | 'waiting'
  | 'unreachable'
  | 'no_answer'
  | 'unusable'
  | 'endless'
  | 'failed'

/** The reasons for which a later attempt may succeed. */
const temporaryReasons: readonly CrmFailureReason[] = ['waiting', 'unreachable', 'no_answer', 'failed']

/**
 * A request to another CRM that failed. The message is a sentence for the user. Neither the message nor the cause contains what the CRM has
 * sent, because its errors may repeat the key. `retryAfterSeconds`: how long the CRM asks to wait.
 */
export class CrmFailure extends ErrorWithReason<CrmFailureReason> {
  override readonly name = 'CrmFailure'
  readonly retryAfterSeconds: number | undefined

  constructor(reason: CrmFailureReason, options: { message?: string; cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(reason, options.message ?? sentences[reason], options.cause)
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get isTemporary(): boolean {
    return temporaryReasons.includes(this.reason)
  }
}

const sentences: Record<CrmFailureReason, string> = {
  address: 'There is no Insightly at this address. It usually is https://api.insightly.com/v3.1.',
  redirect: 'The CRM leads to an address that is not its own, so the key was not sent there.',
  key: 'Insightly refused the API key. Copy it again from your user settings there.',
  key_lost: 'This server has a new key of its own and can no longer read the stored API key. Enter it again.',
  limit: 'Insightly takes no more requests today. Sync again tomorrow; what has arrived is stored.',
  waiting: 'Insightly is busy and asks to wait.',
  unreachable: 'Insightly cannot be reached.',
  no_answer: 'Insightly did not answer in time.',
  unusable: 'Insightly gave an answer that could not be used.',
  endless: 'Insightly sends a list that has no end, so the sync was stopped.',
  failed: 'Insightly failed.',
}
