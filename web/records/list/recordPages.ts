import { infiniteQueryOptions, keepPreviousData, type InfiniteData, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { call } from '#web/lib/client.ts'
import { toApiQuery, type ListQuery } from '#web/records/address/listSearch.ts'
import type { RecordKind } from '#web/records/kind/kind.ts'
import { recordKeys } from '#web/records/kind/queries.ts'

/** A page of a list. It is stale when it was not visible while the list was refetched. */
export type RecordPage<Row> = { rows: Row[]; next: string | null; isStale?: true }

type PageParam = { index: number; after: string; limit: number }

/** The first page is small, because the user waits for it. */
const firstPage: PageParam = { index: 0, after: '', limit: 100 }
const nextLimit = 200

/**
 * The pages of a list. A refetch requests the visible pages and marks the others as stale; a stale page is requested when it is scrolled
 * into view. The rows of the previous search are shown until the new ones are loaded.
 */
export const recordPages = <Row extends { id: string }>({ routes, table, shows }: RecordKind<Row>, query: ListQuery) =>
  infiniteQueryOptions({
    queryKey: [...recordKeys(table).pages, query],
    meta: { tables: [table, ...shows] },
    queryFn: async ({ client, queryKey, pageParam, signal }): Promise<RecordPage<Row>> => {
      const { index, ...cursor } = pageParam
      const cached = client.getQueryData<InfiniteData<RecordPage<Row>>>(queryKey)?.pages[index]
      const { isVisible, onlyStale } = refetchOf(client, queryKey, index)
      if (cached && onlyStale && !(cached.isStale && isVisible)) return cached
      if (cached && !isVisible) return { ...cached, isStale: true }
      const { sort, order } = query
      return call(routes.list, { query: { ...toApiQuery(query), sort, order, ...cursor } }, { signal })
    },
    initialPageParam: firstPage,
    getNextPageParam: ({ next }, _pages, { index }): PageParam | undefined =>
      next === null ? undefined : { index: index + 1, after: next, limit: nextLimit },
    placeholderData: keepPreviousData,
  })

/** `onlyStale`: a refetch skips visible pages that are not stale. */
type VisiblePages = { first: number; last: number; onlyStale?: boolean }

/** The last reported visible pages of each query. They are kept while the list is closed, because it opens again at the same scroll position. */
const visiblePages = new WeakMap<object, VisiblePages>()

const queryOf = (client: QueryClient, queryKey: QueryKey) => client.getQueryCache().find({ queryKey })

export function setVisiblePages(client: QueryClient, queryKey: QueryKey, pages: VisiblePages): void {
  const query = queryOf(client, queryKey)
  if (query) visiblePages.set(query, pages)
}

/** Treats all pages as visible if none were reported, and all pages as stale after an invalidation. */
function refetchOf(client: QueryClient, queryKey: QueryKey, index: number): { isVisible: boolean; onlyStale: boolean } {
  const query = queryOf(client, queryKey)
  const { first, last, onlyStale = false } = (query && visiblePages.get(query)) ?? { first: 0, last: Infinity }
  return { isVisible: index >= first && index <= last, onlyStale: onlyStale && query?.state.isInvalidated === false }
}
