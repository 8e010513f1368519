import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { countLimit } from '#contract/lists.ts'
import { call } from '#web/lib/client.ts'
import { formatNumber } from '#web/lib/format.ts'
import { toApiQuery, type ListQuery } from '#web/records/address/listSearch.ts'
import type { RecordKind } from '#web/records/kind/kind.ts'
import { recordKeys } from '#web/records/kind/queries.ts'
import { recordPages, setVisiblePages, type RecordPage } from './recordPages.ts'

type CountResult = { count: number; more: boolean }
export type PagedList<Row extends { id: string }> = ReturnType<typeof usePagedList<Row>>

/** The rows of a list with their count. */
export const useRecordList = <Row extends { id: string }>(kind: RecordKind<Row>, query: ListQuery) =>
  usePagedList(kind, query, useQuery(recordCount(kind, query)).data)

/** The loaded rows of a list, and functions that load more. `counted` is exact up to `countLimit`. */
export function usePagedList<Row extends { id: string }>(kind: RecordKind<Row>, query: ListQuery, counted?: CountResult) {
  const pages = recordPages(kind, query)
  const list = useInfiniteQuery(pages)
  const client = useQueryClient()
  const { rows, starts } = useMemo(() => joinPages(list.data?.pages ?? []), [list.data])
  const visibleRows = useRef({ first: 0, last: 0 })
  const refetchStale = useEffectEvent((data: typeof list.data, isFetching: boolean) => {
    const { first, last } = visibleRows.current
    const visible = { first: pageOf(starts, first), last: pageOf(starts, last) }
    const hasStale = data?.pages.slice(visible.first, visible.last + 1).some(({ isStale }) => isStale)
    const isNeeded = hasStale === true && !isFetching
    setVisiblePages(client, pages.queryKey, { ...visible, onlyStale: isNeeded })
    if (isNeeded) void list.refetch().finally(() => setVisiblePages(client, pages.queryKey, visible))
  })
  useEffect(() => refetchStale(list.data, list.isFetching), [list.data, list.isFetching])
  const isEmptied = rows.length === 0 && list.hasNextPage // all loaded rows were deleted, and the next page is loading
  const exactCount = counted && !counted.more ? counted.count : undefined
  const isComplete = !list.hasNextPage && !list.data?.pages.some(({ isStale }) => isStale)
  return {
    rows,
    /** The exact number of rows; undefined while it is unknown. */
    total: isComplete ? rows.length : exactCount,
    count: counted ? formatCount(counted) : null,
    failure: rows.length === 0 ? list.error : null,
    nextPageError: list.isFetchNextPageError ? list.error : null,
    loading: list.isPending || list.isFetchingNextPage || isEmptied,
    stale: list.isPlaceholderData,
    retrying: list.isFetching,
    empty: rows.length === 0 && list.isSuccess && !list.isPlaceholderData && !isEmptied,
    retry: () => void (list.isFetchNextPageError ? list.fetchNextPage() : list.refetch()),
    more: () => {
      if (list.hasNextPage && !list.isFetching && !list.isFetchNextPageError) void list.fetchNextPage()
    },
    /** Refetches stale pages among the visible rows. The parameters are indexes of rows. */
    setVisibleRows: (first: number, last: number): void => {
      if (list.isPlaceholderData) return
      visibleRows.current = { first, last }
      refetchStale(list.data, list.isFetching)
    },
  }
}

/** The number of records that match a query. */
const recordCount = <Row extends { id: string }>(
  { routes, table, shows }: RecordKind<Row>,
  { search, filter }: Pick<ListQuery, 'search' | 'filter'>,
) =>
  queryOptions({
    queryKey: [...recordKeys(table).counts, { search, filter }],
    meta: { tables: [table, ...shows] },
    queryFn: ({ signal }) => call(routes.count, { query: toApiQuery({ search, filter }) }, { signal }),
    placeholderData: keepPreviousData,
  })

/** All rows, and the index of the first row of each page. A row that moved while pages were loaded may be on two pages; it is returned once. */
function joinPages<Row extends { id: string }>(pages: readonly RecordPage<Row>[]): { rows: Row[]; starts: number[] } {
  const byId = new Map<string, Row>()
  const starts = pages.map(({ rows }) => {
    const start = byId.size
    for (const row of rows) if (!byId.has(row.id)) byId.set(row.id, row)
    return start
  })
  return { rows: [...byId.values()], starts }
}

const pageOf = (starts: readonly number[], row: number): number =>
  Math.max(
    starts.findLastIndex((start) => start <= row),
    0,
  )

/** "1,284" up to the limit, "1,000+" above it. */
const formatCount = ({ count: number, more }: CountResult): string => (more ? `${formatNumber(countLimit)}+` : formatNumber(number))
