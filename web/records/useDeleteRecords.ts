import { useMutation, useQueryClient, type InfiniteData, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { capitalised, countOf } from '#web/lib/format.ts'
import { refreshTables, showsAny } from '#web/lib/queries.ts'
import { toast, toastError } from '#web/lib/toasts.ts'
import { remember } from '#web/lib/undo.ts'

/** Where the lists of a kind of record keep what they got of its table. */
type Lists = { table: string; pages: QueryKey; counts: QueryKey }

type Deletion = Lists & {
  /** "contact". */
  noun: string
  /** Deletes as one change, which it answers. */
  remove: (ids: readonly string[]) => Promise<{ change: string | undefined }>
}

type Page = { rows: { id: string }[] }
type Count = { count: number; more: boolean }

/** Deletes records as one change. They leave the list at once; when the server refuses they come back, and a toast says why. */
export function useDeleteRecords({ noun, remove, ...lists }: Deletion) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: remove,
    onMutate: (ids) => takeOut(queries, lists, new Set(ids)),
    onError: (error, _ids, putBack) => {
      putBack?.()
      toastError(error)
    },
    onSuccess: ({ change }, ids) => {
      const what = ids.length === 1 ? capitalised(noun) : countOf(ids.length, noun)
      remember(change, `${what} deleted`)
      toast({ kind: 'success', title: `${what} deleted`, change })
    },
    onSettled: () => refreshTables([lists.table]),
  })
}

/** Takes records out of every list that is shown. Gives what puts them back. */
async function takeOut(queries: QueryClient, { table, ...keys }: Lists, ids: ReadonlySet<string>): Promise<() => void> {
  await queries.cancelQueries({ predicate: showsAny([table]) })
  const pages = { queryKey: keys.pages }
  const counts = { queryKey: keys.counts }
  const before = [...queries.getQueriesData<InfiniteData<Page>>(pages), ...queries.getQueriesData<Count>(counts)]
  queries.setQueriesData<InfiniteData<Page>>(pages, (list) => list && { ...list, pages: list.pages.map((page) => without(page, ids)) })
  queries.setQueriesData<Count>(counts, (found) => found && { ...found, count: found.more ? found.count : found.count - ids.size })
  return () => {
    for (const [key, value] of before) queries.setQueryData(key, value)
  }
}

const without = (page: Page, ids: ReadonlySet<string>): Page => ({ ...page, rows: page.rows.filter(({ id }) => !ids.has(id)) })
