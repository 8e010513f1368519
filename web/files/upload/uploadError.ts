import { ProblemError } from '#web/lib/client.ts'
import { describeError, toast } from '#web/lib/toasts.ts'

/**
 * Shows why files could not be added. Shows the message of a field if there is one, because that message, for example about a folder name
 * that is too long, says more than the general message.
 */
export function showUploadError(error: unknown): void {
  const [reason] = error instanceof ProblemError ? Object.values(error.problem.fields ?? {}) : []
  toast({ kind: 'error', title: 'Upload failed', message: reason ?? describeError(error) })
}
