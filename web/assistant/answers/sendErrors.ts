import { ProblemError } from '#web/lib/client.ts'
import { describeError, toast } from '#web/lib/toasts.ts'

const emptyAnswer = 'Received empty response from AI. Please try again.'
const failedRequest = 'Failed to get response'

/** Shows why a message could not be sent or an answer not be started. */
export const toastSendError = (error: unknown): void => toastChatError(describeSendError(error))

/** Shows that an answer ended without any text. `problem` is the reason, if it is known. */
export const toastEmptyAnswer = (problem: string): void => toastChatError(problem === '' ? emptyAnswer : problem)

const toastChatError = (message: string): void => toast({ kind: 'error', title: 'Error', message })

/** A response with a status of 4xx has a sentence that says what the user can do; for others a general sentence is shown. */
function describeSendError(error: unknown): string {
  if (!(error instanceof ProblemError)) return describeError(error)
  const { code, status } = error.problem
  if (code === 'not_signed_in') return 'Not authenticated'
  if (status >= 400 && status < 500) return error.message
  return status === 0 ? `${failedRequest}. ${error.message}` : failedRequest
}
