import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { changeRoutes, type TrashEntry } from '#contract/changes.ts'
import { call, callForChange } from '#web/lib/client.ts'
import { findKindDisplayByTable } from '#web/lib/features.ts'
import { everyTable } from '#web/lib/queries.ts'
import { toast, toastError } from '#web/lib/toasts.ts'
import { followChange, toastChange } from '#web/lib/undo.ts'
import { toastWithoutUndo } from '#web/lib/withoutUndo.ts'
import { useIsMounted } from '#web/ui/useIsMounted.ts'

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
    onSuccess: ({ response, changeId }, entry) => {
      // the restore of a large delete continues as a job; a toast shows its progress
      if (response.progress && !response.progress.finished)
        return void followChange(changeId, {
          runningTitle: `Restoring ${entry.title}`,
          doneTitle: 'Restored',
          message: entry.title,
          unit: 'part',
        })
      // skipped rows with `columns` were restored without the values of these columns, here the link to the parent
      const skipped = response.skipped.find(({ id, why }) => id === entry.id && why === 'parent_gone')
      if (skipped && !skipped.columns) toast({ kind: 'error', title: 'Not restored', message: explainNotRestored(entry) })
      else toastChange('Restored', changeId, skipped ? explainNewPlace(entry) : entry.title)
    },
    onSettled: () => queries.invalidateQueries(),
  })
}

/** Explains why a record that cannot exist without its parent was not restored. */
function explainNotRestored({ table, parent }: TrashEntry): string {
  const noun = findKindDisplayByTable(table)?.singular ?? 'record'
  return parent?.title ? `Restore ${parent.title} first, then this ${noun}.` : `What this ${noun} belonged to is gone for good.`
}

/** Says where a record is that was restored without its parent: "Now in Files, because its folder is gone: Offer.pdf". */
function explainNewPlace({ table, title, parent }: TrashEntry): string {
  const rootLabel = findKindDisplayByTable(table)?.rootLabel
  if (rootLabel === undefined) return title
  const parentNoun = parent ? findKindDisplayByTable(parent.table)?.singular : undefined
  return `Now in ${rootLabel}, because its ${parentNoun ?? 'place'} is gone: ${title}`
}

/** Erases one record or the whole trash. Erasing cannot be undone. `onDone` is not called after the dialog was closed. */
export function useErase(onDone: () => void) {
  const queries = useQueryClient()
  const isOpen = useIsMounted()
  return useMutation({
    mutationFn: (entry: TrashEntry | 'all') =>
      entry === 'all' ? call(changeRoutes.eraseAll, {}) : call(changeRoutes.erase, { params: { id: entry.id } }),
    onError: (error) => toastError(error),
    onSuccess: (_, entry) => {
      toastWithoutUndo(entry === 'all' ? 'Trash emptied' : 'Erased for good')
      if (isOpen.current) onDone()
    },
    onSettled: () => queries.invalidateQueries(trashQuery),
  })
}
