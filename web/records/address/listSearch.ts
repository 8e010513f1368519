import * as z from 'zod/mini'
import { Condition, conditionsSchema } from '#contract/lists.ts'
import type { RecordKind } from '#web/records/kind/kind.ts'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

/** How a list is narrowed and sorted: what the server is asked. */
export type ListQuery = { search: string; filter: readonly Condition[]; sort: string; order: 'asc' | 'desc' }

/** The same with the columns that somebody chose; undefined where nobody did. */
export type ListSearch = ListQuery & { columns: readonly string[] | undefined }

/** How it stands in the address, so that Back, a reload and a sent link find the same list. What goes without saying is left out. */
export type ListParameters = {
  search?: string | undefined
  filter?: Condition[] | undefined
  sort?: string | undefined
  order?: 'asc' | 'desc' | undefined
  /** With a comma between them. */
  columns?: string | undefined
}

const Text = z.union([z.string(), z.number()]) // the router reads 42 as a number
const Word = z.string().check(z.maxLength(50))
const Order = z.enum(['asc', 'desc'])
const Columns = z.string().check(z.maxLength(500))

/** What an address says, without what cannot be read: what a list's route takes for `validateSearch`. */
export function parseListParameters({ search, filter, sort, order, columns }: Record<string, unknown>): ListParameters {
  const text = String(Text.safeParse(search).data ?? '').slice(0, 200)
  const conditions = z.safeParse(z.array(Condition), filter).data ?? []
  return withoutEmpty({
    search: text.trim() && text,
    filter: conditions,
    sort: Word.safeParse(sort).data,
    order: Order.safeParse(order).data,
    columns: Columns.safeParse(columns).data,
  })
}

type Kind = Pick<RecordKind<{ id: string }>, 'sorts' | 'defaultSort' | 'filters' | 'plural'>
const newestFirst = { sort: 'newest', order: 'asc' } as const
const defaultSortOf = ({ defaultSort }: Pick<Kind, 'defaultSort'>) => defaultSort ?? newestFirst

/** What the address of a kind's list means; what the kind does not know is left out. */
export function toListSearch(kind: Kind, { search = '', filter = [], sort, order = 'asc', columns }: ListParameters): ListSearch {
  const isKnown = sort === newestFirst.sort || kind.sorts.some(({ name }) => name === sort)
  const allowed = conditionsSchema(kind.filters)
  return {
    search,
    filter: firstOfEachField(filter.filter((condition) => z.safeParse(allowed, [condition]).success)),
    ...(sort !== undefined && isKnown ? { sort, order: sort === newestFirst.sort ? 'asc' : order } : defaultSortOf(kind)),
    columns: columns?.split(','),
  }
}

/** One condition a field: the screen shows no more. */
const firstOfEachField = (filter: Condition[]): Condition[] =>
  filter.filter(({ field }, index) => filter.findIndex((each) => each.field === field) === index)

/** A search as it stands in the address. */
export function toListParameters(kind: Pick<Kind, 'defaultSort'>, { search, filter, sort, order, columns }: ListSearch): ListParameters {
  const usual = defaultSortOf(kind)
  const isUsual = sort === usual.sort && order === usual.order
  return withoutEmpty({
    search: search.trim() && search,
    filter: [...filter],
    sort: isUsual ? undefined : sort,
    order: isUsual || order === 'asc' ? undefined : order,
    columns: columns?.join(','),
  })
}

/** Where a click on a column's head leads: up, then down, then back to the usual way. */
export function nextSort(kind: Pick<Kind, 'defaultSort'>, { sort, order }: ListQuery, column: string): Pick<ListQuery, 'sort' | 'order'> {
  if (column !== sort) return { sort: column, order: 'asc' }
  return order === 'asc' ? { sort: column, order: 'desc' } : defaultSortOf(kind)
}

/** As a query asks for it. */
export const toApiQuery = ({ search, filter }: Pick<ListQuery, 'search' | 'filter'>) => ({
  search,
  ...(filter.length > 0 && { filter: JSON.stringify(filter) }),
})

const withoutEmpty = ({ search, filter, sort, order, columns }: ListParameters): ListParameters => ({
  ...(search && { search }),
  ...(filter && filter.length > 0 && { filter }),
  ...(sort && { sort }),
  ...(order && { order }),
  ...(columns && { columns }),
})

/** Changes some of the search. Back leads to before the change only where `entry` says so. */
export type ChangeSearch = (changed: Partial<ListSearch>, entry?: 'new entry') => void

/** The search that stands in the address of a kind's list, and how to change it there. What else stands there stays. */
export function useListSearch<Row extends { id: string }>(kind: RecordKind<Row>): { search: ListSearch; change: ChangeSearch } {
  const address = useRouterState({ select: ({ location }) => JSON.stringify(parseListParameters(location.search)) })
  const search = useMemo(() => toListSearch(kind, parseListParameters(JSON.parse(address))), [kind, address])
  const navigate = useNavigate()
  const change = useCallback<ChangeSearch>(
    (changed, entry) => {
      void navigate({
        to: '.',
        search: (before: Record<string, unknown>) => {
          const { search: _search, filter: _filter, sort: _sort, order: _order, columns: _columns, ...others } = before
          return { ...others, ...toListParameters(kind, { ...toListSearch(kind, parseListParameters(before)), ...changed }) }
        },
        replace: entry === undefined,
        resetScroll: false,
      })
    },
    [kind, navigate],
  )
  return { search, change }
}
