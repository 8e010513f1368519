import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { changeRoutes, type TrashEntry } from '#contract/changes.ts'
import { call, callForChange } from '#web/lib/client.ts'
import { everyTable } from '#web/lib/queries.ts'
import { toast, toastError } from '#web/lib/toasts.ts'
import { toastChange } from '#web/lib/undo.ts'

/** The cursor of the first page. */
const firstPage = ''

/** The query of the deleted records, in pages. A change in any table refetches the query, because records of all kinds can be deleted. */
export const trashQuery = infiniteQueryOptions({
  queryKey: ['trash'],
  meta: { tables: [everyTable] },
  queryFn: ({ pageParam, signal }) => call(changeRoutes.trash, { query: { after: pageParam, limit: 100 } }, { signal }),
  initialPageParam: firstPage,
  getNextPageParam: ({ next }) => next ?? undefined,
})

/** Restores one record and the records that were deleted with it. */
export function useRestore() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: TrashEntry) => callForChange(changeRoutes.restore, { params: { id } }),
    onError: (error) => toastError(error),
    onSuccess: ({ changeId }, { title }) => {
      toastChange('Restored', changeId, title)
    },
    onSettled: () => queries.invalidateQueries(),
  })
}

/** Erases one record or the whole trash. Erasing cannot be undone. */
export function useErase(onDone: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (entry: TrashEntry | 'all') =>
      entry === 'all' ? call(changeRoutes.eraseAll, {}) : call(changeRoutes.erase, { params: { id: entry.id } }),
    onError: (error) => toastError(error),
    onSuccess: (_, entry) => {
      toast({ kind: 'success', title: entry === 'all' ? 'Trash emptied' : 'Erased for good' })
      onDone()
    },
    onSettled: () => queries.invalidateQueries(trashQuery),
  })
}
