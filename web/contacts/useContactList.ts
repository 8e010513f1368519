import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { countLimit, type ContactRow } from '#contract/contacts.ts'
import { count } from '#web/lib/format.ts'
import { contactCount, contactPages } from './queries.ts'
import type { Search } from './search.ts'

/** The rows that are there, how many there are in all, and how to get more. */
export function useContactList(search: Search) {
  const list = useInfiniteQuery(contactPages(search))
  const found = useQuery(contactCount(search.search))
  const rows = useMemo(() => onceEach(list.data?.pages ?? []), [list.data])
  const known = found.data && !found.data.more ? found.data.count : undefined
  return {
    rows,
    /** Undefined where it is not known exactly. */
    total: list.hasNextPage ? known : rows.length,
    count: found.data ? wordsFor(found.data) : null,
    failure: rows.length === 0 ? list.error : null,
    failureOfMore: list.isFetchNextPageError ? list.error : null,
    loading: list.isPending || list.isFetchingNextPage,
    stale: list.isPlaceholderData,
    retrying: list.isFetching,
    empty: rows.length === 0 && list.isSuccess && !list.isPlaceholderData,
    retry: () => void (list.data ? list.fetchNextPage() : list.refetch()),
    more: () => {
      if (list.hasNextPage && !list.isFetching && !list.isFetchNextPageError) void list.fetchNextPage()
    },
  }
}

/** A contact that moved while pages were loaded stands on two of them. */
function onceEach(pages: readonly { rows: readonly ContactRow[] }[]): ContactRow[] {
  const byId = new Map<string, ContactRow>()
  for (const { rows } of pages) for (const row of rows) if (!byId.has(row.id)) byId.set(row.id, row)
  return [...byId.values()]
}

/** "1,284" up to the limit, "1,000+" above it. */
const wordsFor = (found: { count: number; more: boolean }): string => (found.more ? `${count(countLimit)}+` : count(found.count))
