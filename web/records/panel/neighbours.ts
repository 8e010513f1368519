import { skipToken, useQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { formatNumber } from '#web/lib/format.ts'
import type { SavedRecord } from '#web/records/form/recordForm.ts'
import type { EditableKind } from '#web/records/kind/kind.ts'
import { recordKeys, recordQuery } from '#web/records/kind/queries.ts'

type List = InfiniteData<{ rows: { id: string }[]; next: string | null }>

type Neighbours = {
  previous: string | undefined
  next: string | undefined
  /** "3 of 128", or "3 of 60+" if the list has more pages. Undefined if no cached list contains the record. */
  position: string | undefined
}

/**
 * Returns the previous and next record of the list that contains this record. If several cached lists contain it, the list that was loaded
 * last is used. Prefetches both records.
 */
export function useNeighbours<Full extends SavedRecord>(kind: EditableKind<Full>, id: string): Neighbours {
  const queries = useQueryClient()
  const [queryKey] = useState(() => {
    const lists = queries.getQueryCache().findAll({ queryKey: recordKeys(kind.table).pages })
    const latestFirst = lists.toSorted((first, second) => second.state.dataUpdatedAt - first.state.dataUpdatedAt)
    return latestFirst.find((list) => getIds(queries.getQueryData<List>(list.queryKey)).includes(id))?.queryKey
  })
  // without this query, the cache would drop the list while the page is open
  const { data: list } = useQuery<List>({ queryKey: queryKey ?? ['no list'], queryFn: skipToken })
  const ids = queryKey ? getIds(list) : []
  const index = ids.indexOf(id)
  const [previous, next] = index < 0 ? [] : [ids[index - 1], ids[index + 1]]
  useEffect(() => {
    for (const neighbour of [previous, next]) if (neighbour) void queries.prefetchQuery(recordQuery(kind, neighbour))
  }, [queries, kind, previous, next])
  const total = list?.pages.at(-1)?.next === null ? formatNumber(ids.length) : `${formatNumber(ids.length)}+`
  return { previous, next, position: index < 0 ? undefined : `${formatNumber(index + 1)} of ${total}` }
}

const getIds = (list: List | undefined): string[] => [...new Set(list?.pages.flatMap(({ rows }) => rows.map(({ id }) => id)))]
