import { useMutation } from '@tanstack/react-query'
import { callForChange, ProblemError, trackWrite } from '#web/lib/client.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { describeError, toast } from '#web/lib/toasts.ts'
import { toastChange } from '#web/lib/undo.ts'
import type { BulkSelection } from '#web/records/bulk/selection.ts'
import { useToastAfterClose } from '#web/records/form/useToastAfterClose.ts'
import type { ListRoutes } from '#web/records/kind/kind.ts'
import { describeBulkResult, type BulkChange } from './bulkResult.ts'

/** The parts of a record kind that bulk changes use. */
export type BulkKind = { singular: string; plural: string; table: string; routes: Pick<ListRoutes<unknown>, 'editMany' | 'tagMany'> }

type Outcome = 'updated' | 'tagged'
const failures: Record<Outcome, string> = { updated: 'Error updating', tagged: 'Error tagging' }

/** Sets fields of the selected records in one change, and shows the number of changed records in a toast. */
export const useBulkEdit = (kind: BulkKind, selection: BulkSelection) =>
  useBulkChange(kind, selection, 'updated', (fields: Record<string, unknown>) =>
    callForChange(kind.routes.editMany, { body: { ...selection, fields } }),
  )

/** Adds and removes tags of the selected records in one change, and shows the number of changed records in a toast. */
export const useBulkTag = (kind: BulkKind, selection: BulkSelection) =>
  useBulkChange(kind, selection, 'tagged', (tags: { add: string[]; remove: string[] }) => {
    if (!kind.routes.tagMany) throw new Error(`A ${kind.singular} cannot have tags`)
    return callForChange(kind.routes.tagMany, { body: { ...selection, ...tags } })
  })

function useBulkChange<Changes>(
  kind: BulkKind,
  selection: BulkSelection,
  outcome: Outcome,
  send: (changes: Changes) => Promise<BulkChange>,
) {
  const toastAfterClose = useToastAfterClose(`${failures[outcome]} ${kind.plural}`, bulkErrorMessage)
  return useMutation({
    mutationFn: (changes: Changes) => trackWrite(send(changes).then((change) => describeBulkResult(kind, outcome, selection, change))),
    onError: toastAfterClose,
    onSuccess: ({ title, changeId }) => {
      if (changeId === undefined) toast({ kind: 'info', title: 'Nothing to change', message: 'None of them needs this change.' })
      else toastChange(title, changeId)
    },
    onSettled: () => refreshTables([kind.table]),
  })
}

/** The message for a failed bulk change: the first field error, or else the general message. */
export function bulkErrorMessage(error: unknown): string {
  const [fieldError] = error instanceof ProblemError ? Object.values(error.problem.fields ?? {}) : []
  return fieldError ?? describeError(error)
}
