import { infiniteQueryOptions, keepPreviousData, type InfiniteData, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { call } from '#web/lib/client.ts'
import { toApiQuery, type ListQuery } from '#web/records/address/listSettings.ts'
import type { ListRoutes, RecordKind } from '#web/records/kind/kind.ts'
import { recordKeys } from '#web/records/kind/queries.ts'

/** The parts of a record kind that a list needs to load its pages. */
export type PagedKind<Row extends { id: string }> = Pick<RecordKind<Row>, 'table' | 'relatedTables'> & {
  routes: Pick<ListRoutes<Row>, 'list' | 'count'>
}

/** A page of a list. A page that was not visible while the list was refetched is stale. */
export type RecordPage<Row> = { rows: Row[]; next: string | null; isStale?: true }

/** A page to request. `index` counts from 0. `after` is the cursor at which the page begins, and `limit` its maximum number of rows. */
type PageParam = { index: number; after: string; limit: number }

/** The first page has fewer rows, because the user waits for it. */
const firstPage: PageParam = { index: 0, after: '', limit: 100 }
const nextLimit = 200

/**
 * Loads a list page by page. A refetch requests only the visible pages and marks the other pages as stale. A stale page is requested when
 * the user scrolls to it. The rows of the previous query stay until those of the new query are loaded.
 */
export const pagesQuery = <Row extends { id: string }>({ routes, table, relatedTables }: PagedKind<Row>, query: ListQuery) =>
  infiniteQueryOptions({
    queryKey: [...recordKeys(table).pages, query],
    meta: { tables: [table, ...relatedTables] }, // a change in these tables refetches the query
    queryFn: async ({ client, queryKey, pageParam, signal }): Promise<RecordPage<Row>> => {
      const { index, ...afterAndLimit } = pageParam
      const cachedPage = client.getQueryData<InfiniteData<RecordPage<Row>>>(queryKey)?.pages[index]
      const action = cachedPage ? chooseRefetchAction(client, queryKey, index, cachedPage.isStale === true) : 'request'
      if (cachedPage && action === 'keep') return cachedPage
      if (cachedPage && action === 'mark as stale') return { ...cachedPage, isStale: true }
      const { sort, order } = query
      return call(routes.list, { query: { ...toApiQuery(query), sort, order, ...afterAndLimit } }, { signal })
    },
    initialPageParam: firstPage,
    getNextPageParam: ({ next }, _pages, { index }): PageParam | undefined =>
      next === null ? undefined : { index: index + 1, after: next, limit: nextLimit },
    placeholderData: keepPreviousData,
  })

/** The indexes of the first and last visible page. With `refetchOnlyStale`, a refetch requests only visible pages that are stale. */
type VisiblePages = { first: number; last: number; refetchOnlyStale?: boolean }

/** The visible pages of each query. They are kept while the list is closed, because the list opens again at the same scroll position. */
const visiblePages = new WeakMap<object, VisiblePages>()

const findQuery = (client: QueryClient, queryKey: QueryKey) => client.getQueryCache().find({ queryKey })

/** Stores which pages of a query are visible. Does nothing if there is no such query. */
export function setVisiblePages(client: QueryClient, queryKey: QueryKey, pages: VisiblePages): void {
  const query = findQuery(client, queryKey)
  if (query) visiblePages.set(query, pages)
}

/** What a refetch does with a loaded page. */
type RefetchAction = 'request' | 'keep' | 'mark as stale'

/**
 * Returns what a refetch does with the page with this index. If `setVisiblePages` was not called, all pages count as visible. If the query
 * is invalidated, `refetchOnlyStale` has no effect.
 */
function chooseRefetchAction(client: QueryClient, queryKey: QueryKey, index: number, isStale: boolean): RefetchAction {
  const query = findQuery(client, queryKey)
  const { first, last, refetchOnlyStale = false } = (query && visiblePages.get(query)) ?? { first: 0, last: Infinity }
  const isVisible = index >= first && index <= last
  const isInvalidated = query?.state.isInvalidated ?? true
  if (refetchOnlyStale && !isInvalidated) return isVisible && isStale ? 'request' : 'keep'
  return isVisible ? 'request' : 'mark as stale'
}
