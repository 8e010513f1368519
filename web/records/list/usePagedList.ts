import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import { count } from '#web/lib/format.ts'

type Page<Row> = { rows: readonly Row[] }
type Found = { count: number; more: boolean }
export type PagedList<Row extends { id: string }> = ReturnType<typeof usePagedList<Row>>

/** The rows that are there, how many there are in all, and how to get more. A count is exact up to `countLimit`. */
export function usePagedList<Row extends { id: string }>(
  list: UseInfiniteQueryResult<InfiniteData<Page<Row>>>,
  { data: found }: { data?: Found | undefined },
  countLimit: number,
) {
  const rows = useMemo(() => onceEach(list.data?.pages ?? []), [list.data])
  const isBetween = rows.length === 0 && list.hasNextPage // all that was loaded has been taken out, and the rest is on its way
  const known = found && !found.more ? found.count : undefined
  return {
    rows,
    /** Undefined where it is not known exactly. */
    total: list.hasNextPage ? known : rows.length,
    count: found ? wordsFor(found, countLimit) : null,
    failure: rows.length === 0 ? list.error : null,
    failureOfMore: list.isFetchNextPageError ? list.error : null,
    loading: list.isPending || list.isFetchingNextPage || isBetween,
    stale: list.isPlaceholderData,
    retrying: list.isFetching,
    empty: rows.length === 0 && list.isSuccess && !list.isPlaceholderData && !isBetween,
    retry: () => void (list.isFetchNextPageError ? list.fetchNextPage() : list.refetch()),
    more: () => {
      if (list.hasNextPage && !list.isFetching && !list.isFetchNextPageError) void list.fetchNextPage()
    },
  }
}

/** A row that moved while pages were loaded stands on two of them. */
function onceEach<Row extends { id: string }>(pages: readonly Page<Row>[]): Row[] {
  const byId = new Map<string, Row>()
  for (const { rows } of pages) for (const row of rows) if (!byId.has(row.id)) byId.set(row.id, row)
  return [...byId.values()]
}

/** "1,284" up to the limit, "1,000+" above it. */
const wordsFor = (found: Found, limit: number): string => (found.more ? `${count(limit)}+` : count(found.count))
