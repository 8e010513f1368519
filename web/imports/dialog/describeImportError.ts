import type { ImportKind } from '#contract/imports.ts'
import { ProblemError } from '#web/lib/client.ts'
import { importNouns } from '../kinds.ts'

/** Returns the message for a file that could not be uploaded or read: the message of the server about the file if there is one. */
export function describeImportError(error: unknown, kind: ImportKind): string {
  if (!(error instanceof ProblemError)) return `Failed to import ${importNouns[kind].plural}`
  const [fieldMessage] = Object.values(error.problem.fields ?? {})
  return fieldMessage ?? error.message
}
