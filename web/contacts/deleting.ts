import { useMutation, useQueryClient, type InfiniteData, type QueryClient } from '@tanstack/react-query'
import { contactRoutes, type ContactRow } from '#contract/contacts.ts'
import type { Output } from '#contract/route.ts'
import { callForChange } from '#web/lib/client.ts'
import { countOf } from '#web/lib/format.ts'
import { toast, toastError } from '#web/lib/toasts.ts'
import { remember } from '#web/lib/undo.ts'
import { contactKeys } from './queries.ts'

type Pages = InfiniteData<Output<typeof contactRoutes.list>>
type Count = Output<typeof contactRoutes.count>

/** Deletes contacts as one change. They leave the list at once; when the server refuses they come back, and a toast says why. */
export function useDeleteContacts() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: deleteContacts,
    onMutate: (ids) => takeOut(queries, new Set(ids)),
    onError: (error, _ids, putBack) => {
      putBack?.()
      toastError(error)
    },
    onSuccess: ({ change }, ids) => {
      const title = ids.length === 1 ? 'Contact deleted' : `${countOf(ids.length, 'contact')} deleted`
      remember(change, title)
      toast({ kind: 'success', title, change })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: contactKeys.all }),
  })
}

function deleteContacts(ids: readonly string[]): Promise<{ change: string | undefined }> {
  const [id = ''] = ids
  if (ids.length === 1) return callForChange(contactRoutes.delete, { params: { id } })
  return callForChange(contactRoutes.bulk, { body: { action: 'delete', ids: [...ids] } })
}

/** Takes contacts out of every list that is shown. Gives what puts them back. */
async function takeOut(queries: QueryClient, ids: ReadonlySet<string>): Promise<() => void> {
  await queries.cancelQueries({ queryKey: contactKeys.all })
  const pages = { queryKey: contactKeys.pages }
  const counts = { queryKey: contactKeys.counts }
  const before = [...queries.getQueriesData<Pages>(pages), ...queries.getQueriesData<Count>(counts)]
  queries.setQueriesData<Pages>(pages, (list) => list && { ...list, pages: list.pages.map((page) => without(page, ids)) })
  queries.setQueriesData<Count>(counts, (found) => found && { ...found, count: found.more ? found.count : found.count - ids.size })
  return () => {
    for (const [key, value] of before) queries.setQueryData(key, value)
  }
}

const without = <Page extends { rows: ContactRow[] }>(page: Page, ids: ReadonlySet<string>): Page => ({
  ...page,
  rows: page.rows.filter(({ id }) => !ids.has(id)),
})
