import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { showsAnyTable } from '#web/lib/queries.ts'
import { recordKeys } from '#web/records/kind/queries.ts'

type Page = { rows: { id: string }[] }
type Count = { count: number; more: boolean }

/** Removes records from all cached lists and counts. Returns a function that restores them. */
export async function removeFromLists(queries: QueryClient, table: string, ids: ReadonlySet<string>): Promise<() => void> {
  await queries.cancelQueries({ predicate: showsAnyTable([table]) })
  const pages = { queryKey: recordKeys(table).pages }
  const counts = { queryKey: recordKeys(table).counts }
  const previous = [...queries.getQueriesData<InfiniteData<Page>>(pages), ...queries.getQueriesData<Count>(counts)]
  queries.setQueriesData<InfiniteData<Page>>(pages, (list) => list && { ...list, pages: list.pages.map((page) => withoutRows(page, ids)) })
  queries.setQueriesData<Count>(counts, (result) => result && withoutRemoved(result, ids.size))
  return () => {
    for (const [key, value] of previous) queries.setQueryData(key, value)
  }
}

/** A count with `more` is a lower limit, so it stays the same. */
const withoutRemoved = (result: Count, removedCount: number): Count =>
  result.more ? result : { ...result, count: result.count - removedCount }

const withoutRows = (page: Page, ids: ReadonlySet<string>): Page => ({ ...page, rows: page.rows.filter(({ id }) => !ids.has(id)) })
