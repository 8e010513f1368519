import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { call } from '#web/lib/client.ts'
import { formatCappedCount } from '#web/lib/format.ts'
import { toApiQuery, type ListQuery } from '#web/records/address/listSettings.ts'
import { recordKeys } from '#web/records/kind/queries.ts'
import { pagesQuery, setVisiblePages, type PagedKind, type RecordPage } from './recordPages.ts'

/** With `more`, there are more records than `count`, and the server stopped counting. */
type CountResult = { count: number; more: boolean }
export type PagedList<Row extends { id: string }> = ReturnType<typeof usePagedList<Row>>

/** Loads the rows of a list page by page, and their count. */
export const useRecordList = <Row extends { id: string }>(kind: PagedKind<Row>, query: ListQuery) =>
  usePagedList(kind, query, useQuery(countQuery(kind, query)).data)

/**
 * Loads the rows of a list page by page. `countResult` is the number of matching records, which the server counts up to
 * `maxCountedRecords`. Lists that show no count omit `countResult`.
 */
export function usePagedList<Row extends { id: string }>(kind: PagedKind<Row>, query: ListQuery, countResult?: CountResult) {
  const pages = pagesQuery(kind, query)
  const list = useInfiniteQuery(pages)
  const client = useQueryClient()
  const { rows, pageStarts } = useMemo(() => joinPages(list.data?.pages ?? []), [list.data])
  const visibleRows = useRef({ first: 0, last: 0 })
  /** Refetches the visible pages that are stale, unless a request is running. Other refetches request all visible pages. */
  const refetchStalePages = useEffectEvent((data: typeof list.data, isFetching: boolean) => {
    const { first, last } = visibleRows.current
    const visiblePages = { first: findPageOfRow(pageStarts, first), last: findPageOfRow(pageStarts, last) }
    const hasStalePage = data?.pages.slice(visiblePages.first, visiblePages.last + 1).some(({ isStale }) => isStale)
    const refetchOnlyStale = hasStalePage === true && !isFetching
    setVisiblePages(client, pages.queryKey, { ...visiblePages, refetchOnlyStale })
    if (refetchOnlyStale) void list.refetch().finally(() => setVisiblePages(client, pages.queryKey, visiblePages))
  })
  useEffect(() => refetchStalePages(list.data, list.isFetching), [list.data, list.isFetching])
  const isNextPageNeeded = rows.length === 0 && list.hasNextPage // all loaded rows were deleted
  const exactCount = countResult && !countResult.more ? countResult.count : undefined
  const isComplete = !list.hasNextPage && !list.data?.pages.some(({ isStale }) => isStale)
  return {
    rows,
    /** The exact number of rows; undefined while it is unknown. */
    total: isComplete ? rows.length : exactCount,
    /** The number of rows as text: "1,284" or "1,000+". Null while it is unknown. */
    count: countResult ? formatCappedCount(countResult) : null,
    /** The error of a list without rows. */
    failure: rows.length === 0 ? list.error : null,
    /** The error of the next page, below the loaded rows. */
    nextPageError: list.isFetchNextPageError ? list.error : null,
    isLoading: list.isPending || list.isFetchingNextPage || isNextPageNeeded,
    /** True while `rows` are those of the previous query. */
    hasRowsOfPreviousQuery: list.isPlaceholderData,
    isRetrying: list.isFetching,
    hasNextPage: list.hasNextPage,
    isEmpty: rows.length === 0 && list.isSuccess && !list.isPlaceholderData && !isNextPageNeeded,
    retry: () => void (list.isFetchNextPageError ? list.fetchNextPage() : list.refetch()),
    /** Loads the next page, unless a request is running or the last request for the next page has failed. */
    loadNextPage: () => {
      if (list.hasNextPage && !list.isFetching && !list.isFetchNextPageError) void list.fetchNextPage()
    },
    /** Refetches stale pages among the visible rows. The parameters are indexes of rows. */
    setVisibleRows: (first: number, last: number): void => {
      if (list.isPlaceholderData) return
      visibleRows.current = { first, last }
      refetchStalePages(list.data, list.isFetching)
    },
  }
}

/** Counts the records that match a query. */
const countQuery = <Row extends { id: string }>(
  { routes, table, relatedTables }: PagedKind<Row>,
  { search, filter }: Pick<ListQuery, 'search' | 'filter'>,
) =>
  queryOptions({
    queryKey: [...recordKeys(table).counts, { search, filter }],
    meta: { tables: [table, ...relatedTables] }, // a change in these tables refetches the query
    queryFn: ({ signal }) => call(routes.count, { query: toApiQuery({ search, filter }) }, { signal }),
    placeholderData: keepPreviousData,
  })

/**
 * Returns the rows of all pages, and the index of the first row of each page. A row that moved while the pages were loaded may be on two
 * pages; the result contains it once.
 */
function joinPages<Row extends { id: string }>(pages: readonly RecordPage<Row>[]): { rows: Row[]; pageStarts: number[] } {
  const byId = new Map<string, Row>()
  const pageStarts = pages.map(({ rows }) => {
    const start = byId.size
    for (const row of rows) if (!byId.has(row.id)) byId.set(row.id, row)
    return start
  })
  return { rows: [...byId.values()], pageStarts }
}

/** Returns the index of the page that contains the row with the index `row`. */
const findPageOfRow = (pageStarts: readonly number[], row: number): number =>
  Math.max(
    pageStarts.findLastIndex((start) => start <= row),
    0,
  )
