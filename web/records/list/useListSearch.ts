import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { ListKind } from './listKind.ts'
import { addressOf, readListAddress, searchIn, type ListSearch } from './listSearch.ts'

/** Changes some of the search. Back leads to before the change only where `entry` says so. */
export type ChangeSearch = (changed: Partial<ListSearch>, entry?: 'new entry') => void

/** The search that stands in the address of a kind's list, and how to change it there. What else stands there stays. */
export function useListSearch<Row extends { id: string }>(kind: ListKind<Row>): { search: ListSearch; change: ChangeSearch } {
  const address = useRouterState({ select: ({ location }) => JSON.stringify(readListAddress(location.search)) })
  const search = useMemo(() => searchIn(kind, readListAddress(JSON.parse(address))), [kind, address])
  const navigate = useNavigate()
  const change = useCallback<ChangeSearch>(
    (changed, entry) => {
      void navigate({
        to: '.',
        search: (before: Record<string, unknown>) => {
          const { search: _search, filter: _filter, sort: _sort, order: _order, columns: _columns, ...others } = before
          return { ...others, ...addressOf(kind, { ...searchIn(kind, readListAddress(before)), ...changed }) }
        },
        replace: entry === undefined,
        resetScroll: false,
      })
    },
    [kind, navigate],
  )
  return { search, change }
}
