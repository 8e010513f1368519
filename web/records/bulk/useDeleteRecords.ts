import { useMutation, useQueryClient, type InfiniteData, type QueryClient } from '@tanstack/react-query'
import { callForChange, trackWrite } from '#web/lib/client.ts'
import { refreshTables, showsAnyTable } from '#web/lib/queries.ts'
import { toastError } from '#web/lib/toasts.ts'
import { toastChange } from '#web/lib/undo.ts'
import { describeBulkResult } from '#web/records/bulk/bulkChanges.ts'
import type { BulkSelection } from './selection.ts'
import { recordKeys } from '#web/records/kind/queries.ts'
import type { ListRoutes } from '#web/records/kind/kind.ts'

/** The parts of a record kind that a deletion uses. */
export type DeletableKind = { singular: string; plural: string; table: string; routes: Pick<ListRoutes<unknown>, 'delete' | 'deleteMany'> }

type Page = { rows: { id: string }[] }
type Count = { count: number; more: boolean }

/**
 * Deletes records in one change. Removes the records from the lists immediately. If the request fails, restores the lists and shows a toast
 * with the title `errorTitle`.
 */
export function useDeleteRecords(kind: DeletableKind, errorTitle = 'Error') {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (selection: BulkSelection) =>
      trackWrite(deleteSelection(kind, selection).then(({ changeId }) => describeBulkResult(kind, 'deleted', selection, changeId))),
    onMutate: ({ ids = [] }) => removeFromLists(queries, kind.table, new Set(ids)),
    onError: (error, _selection, restoreLists) => {
      restoreLists?.()
      toastError(error, errorTitle)
    },
    onSuccess: ({ title, changeId }) => toastChange(title, changeId),
    onSettled: () => refreshTables([kind.table]),
  })
}

function deleteSelection({ routes }: DeletableKind, selection: BulkSelection): Promise<{ changeId: string | undefined }> {
  const [id, ...otherIds] = selection.ids ?? []
  if (id !== undefined && otherIds.length === 0) return callForChange(routes.delete, { params: { id } })
  return callForChange(routes.deleteMany, { body: selection })
}

/** Removes records from all cached lists and counts. Returns a function that restores them. */
export async function removeFromLists(queries: QueryClient, table: string, ids: ReadonlySet<string>): Promise<() => void> {
  await queries.cancelQueries({ predicate: showsAnyTable([table]) })
  const pages = { queryKey: recordKeys(table).pages }
  const counts = { queryKey: recordKeys(table).counts }
  const previous = [...queries.getQueriesData<InfiniteData<Page>>(pages), ...queries.getQueriesData<Count>(counts)]
  queries.setQueriesData<InfiniteData<Page>>(pages, (list) => list && { ...list, pages: list.pages.map((page) => withoutRows(page, ids)) })
  queries.setQueriesData<Count>(counts, (result) => result && withoutDeleted(result, ids.size))
  return () => {
    for (const [key, value] of previous) queries.setQueryData(key, value)
  }
}

/** A count with `more` is a lower limit, so deleted records do not change it. */
const withoutDeleted = (result: Count, deletedCount: number): Count =>
  result.more ? result : { ...result, count: result.count - deletedCount }

const withoutRows = (page: Page, ids: ReadonlySet<string>): Page => ({ ...page, rows: page.rows.filter(({ id }) => !ids.has(id)) })
