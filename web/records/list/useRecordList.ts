import { infiniteQueryOptions, keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { countLimit } from '#contract/lists.ts'
import { call } from '#web/lib/client.ts'
import { recordKeys } from '#web/records/keys.ts'
import type { ListKind } from './listKind.ts'
import { asQuery, type Narrowing } from './listSearch.ts'
import { usePagedList } from './usePagedList.ts'

/** The first page is there sooner, the next ones last longer. */
const firstPage = { after: '', limit: 100 }
const nextLimit = 200

/** The rows of a list, page after page, with their count; for a table or anything else that shows them. */
export const useRecordList = <Row extends { id: string }>(kind: ListKind<Row>, narrowing: Narrowing) =>
  usePagedList(useInfiniteQuery(recordPages(kind, narrowing)), useQuery(recordCount(kind, narrowing)), countLimit)

/** The list, page after page. While another search is under way the last rows stay. */
export const recordPages = <Row extends { id: string }>({ routes, table, shows }: ListKind<Row>, narrowing: Narrowing) =>
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
  { routes, table, shows }: ListKind<Row>,
  { search, filter }: Pick<Narrowing, 'search' | 'filter'>,
) =>
  queryOptions({
    queryKey: [...recordKeys(table).counts, { search, filter }],
    meta: { tables: [table, ...shows] },
    queryFn: ({ signal }) => call(routes.count, { query: asQuery({ search, filter }) }, { signal }),
    placeholderData: keepPreviousData,
  })
