import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { searchRoutes } from '#contract/search.ts'
import { call } from '#web/lib/client.ts'
import { anyTable } from '#web/lib/queries.ts'

const mostShown = 8

/** Records that answer what was typed. While others are on their way the last ones stay. */
export const hitsQuery = (typed: string) =>
  queryOptions({
    queryKey: ['search', typed],
    meta: { tables: [anyTable] },
    queryFn: ({ signal }) => call(searchRoutes.search, { query: { search: typed, limit: mostShown } }, { signal }),
    enabled: typed !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })
