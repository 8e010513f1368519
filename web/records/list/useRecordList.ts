import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query'
import { countLimit } from '#contract/lists.ts'
import { call } from '#web/lib/client.ts'
import { recordKeys } from '#web/records/kind/queries.ts'
import type { RecordKind } from '#web/records/kind/kind.ts'
import { asQuery, type Narrowing } from '#web/records/address/listSearch.ts'
import { useMemo } from 'react'
import { count } from '#web/lib/format.ts'

/** The first page is there sooner, the next ones last longer. */
const firstPage = { after: '', limit: 100 }
const nextLimit = 200

/** The rows of a list, page after page, with their count; for a table or anything else that shows them. */
export const useRecordList = <Row extends { id: string }>(kind: RecordKind<Row>, narrowing: Narrowing) =>
  usePagedList(useInfiniteQuery(recordPages(kind, narrowing)), useQuery(recordCount(kind, narrowing)))

/** The list, page after page. While another search is under way the last rows stay. */
export const recordPages = <Row extends { id: string }>({ routes, table, shows }: RecordKind<Row>, narrowing: Narrowing) =>
  infiniteQueryOptions({
    queryKey: [...recordKeys(table).pages, narrowing],
    meta: { tables: [table, ...shows] },
    queryFn: ({ pageParam, signal }) => {
      const { sort, order } = narrowing
      return call(routes.list, { query: { ...asQuery(narrowing), sort, order, ...pageParam } }, { signal })
    },
    initialPageParam: firstPage,
    getNextPageParam: ({ next }) => (next === null ? undefined : { after: next, limit: nextLimit }),
    placeholderData: keepPreviousData,
  })

/** How many a search finds, exact to 1,000. */
const recordCount = <Row extends { id: string }>(
  { routes, table, shows }: RecordKind<Row>,
  { search, filter }: Pick<Narrowing, 'search' | 'filter'>,
) =>
  queryOptions({
    queryKey: [...recordKeys(table).counts, { search, filter }],
    meta: { tables: [table, ...shows] },
    queryFn: ({ signal }) => call(routes.count, { query: asQuery({ search, filter }) }, { signal }),
    placeholderData: keepPreviousData,
  })

type Page<Row> = { rows: readonly Row[] }
type Found = { count: number; more: boolean }
export type PagedList<Row extends { id: string }> = ReturnType<typeof usePagedList<Row>>

/** The rows that are there, how many there are in all, and how to get more. A count is exact up to `countLimit`. */
export function usePagedList<Row extends { id: string }>(
  list: UseInfiniteQueryResult<InfiniteData<Page<Row>>>,
  { data: found }: { data?: Found | undefined },
) {
  const rows = useMemo(() => onceEach(list.data?.pages ?? []), [list.data])
  const isBetween = rows.length === 0 && list.hasNextPage // all that was loaded has been taken out, and the rest is on its way
  const known = found && !found.more ? found.count : undefined
  return {
    rows,
    /** Undefined where it is not known exactly. */
    total: list.hasNextPage ? known : rows.length,
    count: found ? wordsFor(found) : null,
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
const wordsFor = (found: Found): string => (found.more ? `${count(countLimit)}+` : count(found.count))
