import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callForChange, trackWrite } from '#web/lib/client.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { toastError } from '#web/lib/toasts.ts'
import { followChange, toastChange } from '#web/lib/undo.ts'
import { describeBulkResult, type BulkChange } from '#web/records/bulk/bulkResult.ts'
import { removeFromLists } from './removeFromLists.ts'
import type { BulkSelection } from './selection.ts'
import type { ListRoutes } from '#web/records/kind/kind.ts'

/** The parts of a record kind that a deletion uses. */
export type DeletableKind = { singular: string; plural: string; table: string; routes: Pick<ListRoutes<unknown>, 'delete' | 'deleteMany'> }

/**
 * Deletes records in one change. Removes the records from the lists immediately. If the request fails, restores the lists and shows a toast
 * with the title `errorTitle`. If a job continues the deletion, the records are in the lists again until the job has ended.
 */
export function useDeleteRecords(kind: DeletableKind, errorTitle = 'Error') {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (selection: BulkSelection) =>
      trackWrite(deleteSelection(kind, selection).then((change) => describeBulkResult(kind, 'deleted', selection, change))),
    onMutate: ({ ids = [] }) => removeFromLists(queries, kind.table, new Set(ids)),
    onError: (error, _selection, restoreLists) => {
      restoreLists?.()
      toastError(error, errorTitle)
    },
    onSuccess: ({ title, changeId, isRunning }, _selection, restoreLists) => {
      if (!isRunning) return toastChange(title, changeId)
      restoreLists?.()
      void followChange(changeId, { doneTitle: title })
    },
    onSettled: () => refreshTables([kind.table]),
  })
}

function deleteSelection({ routes }: DeletableKind, selection: BulkSelection): Promise<BulkChange> {
  const [id, ...otherIds] = selection.ids ?? []
  if (id !== undefined && otherIds.length === 0) return callForChange(routes.delete, { params: { id } })
  return callForChange(routes.deleteMany, { body: selection })
}
