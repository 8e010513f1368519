import { ProblemError } from '#web/lib/client.ts'
import { describeError, toast } from '#web/lib/toasts.ts'

/** Shows why files could not be added. The reason of a field, such as a folder name that is too long, says more than the general sentence. */
export function showUploadError(error: unknown): void {
  const [reason] = error instanceof ProblemError ? Object.values(error.problem.fields ?? {}) : []
  toast({ kind: 'error', title: 'Upload failed', message: reason ?? describeError(error) })
}
