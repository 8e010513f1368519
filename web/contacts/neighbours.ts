import { skipToken, useQuery, useQueryClient, type InfiniteData } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { count } from '#web/lib/format.ts'
import { recordKeys } from '#web/records/kind/queries.ts'
import { contactQuery, contactsTable } from './queries.ts'

type List = InfiniteData<{ rows: { id: string }[]; next: string | null }>

type Neighbours = {
  previous: string | undefined
  next: string | undefined
  /** "3 of 128"; undefined where the contact was opened without a list. */
  place: string | undefined
}

/** The contacts before and behind one in the list from which it was opened. */
export function useNeighbours(id: string): Neighbours {
  const queries = useQueryClient()
  const [queryKey] = useState(() => {
    const lists = queries.getQueryCache().findAll({ queryKey: recordKeys(contactsTable).pages })
    const latest = lists.toSorted((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt)
    return latest.find((list) => idsOf(queries.getQueryData<List>(list.queryKey)).includes(id))?.queryKey
  })
  // holds on to the list as it is, for as long as this page is open
  const { data: list } = useQuery<List>({ queryKey: queryKey ?? ['no list'], queryFn: skipToken })
  const ids = queryKey ? idsOf(list) : []
  const index = ids.indexOf(id)
  const [previous, next] = index < 0 ? [] : [ids[index - 1], ids[index + 1]]
  useEffect(() => {
    for (const neighbour of [previous, next]) if (neighbour) void queries.prefetchQuery(contactQuery(neighbour))
  }, [queries, previous, next])
  const total = list?.pages.at(-1)?.next === null ? count(ids.length) : `${count(ids.length)}+`
  return { previous, next, place: index < 0 ? undefined : `${count(index + 1)} of ${total}` }
}

const idsOf = (list: List | undefined): string[] => [...new Set(list?.pages.flatMap(({ rows }) => rows.map(({ id }) => id)))]
