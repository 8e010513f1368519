import type { ImportKind } from '#contract/imports.ts'
import { ProblemError } from '#web/lib/client.ts'
import { importNouns } from '../kinds.ts'

/** Returns the sentence for a file that could not be uploaded or read: that of the server about the file, if it has one. */
export function describeUploadError(error: unknown, kind: ImportKind): string {
  if (!(error instanceof ProblemError)) return `Failed to import ${importNouns[kind].plural}`
  const [sentence] = Object.values(error.problem.fields ?? {})
  return sentence ?? error.message
}
