import * as z from 'zod/mini'
import { Condition, conditionsSchema } from '#contract/lists.ts'
import type { RecordKind } from '#web/records/kind/kind.ts'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'

/** The search text, the filter and the sort of a list, as the server receives them. */
export type ListQuery = { search: string; filter: readonly Condition[]; sort: string; order: 'asc' | 'desc' }

/** What a user sets for a list: a query, and the names of the visible columns. Without `columns`, the list shows its default columns. */
export type ListSettings = ListQuery & { columns: readonly string[] | undefined }

/** `ListSettings` as parameters of the URL, so that Back, a reload and a shared link show the same list. Default values are omitted. */
export type ListParameters = {
  search?: string | undefined
  filter?: Condition[] | undefined
  sort?: string | undefined
  order?: 'asc' | 'desc' | undefined
  /** Column names separated by commas. */
  columns?: string | undefined
}

const Text = z.union([z.string(), z.number()]) // the router parses the text 42 in a URL as a number
const SortName = z.string().check(z.maxLength(50))
const Order = z.enum(['asc', 'desc'])
const Columns = z.string().check(z.maxLength(500))

/** Parses the URL parameters of a list and drops invalid ones. List routes use it as `validateSearch`. */
export function parseListParameters({ search, filter, sort, order, columns }: Record<string, unknown>): ListParameters {
  const text = String(Text.safeParse(search).data ?? '').slice(0, 200)
  const conditions = z.safeParse(z.array(Condition), filter).data ?? []
  return omitEmpty({
    search: text.trim() && text,
    filter: conditions,
    sort: SortName.safeParse(sort).data,
    order: Order.safeParse(order).data,
    columns: Columns.safeParse(columns).data,
  })
}

type Kind = Pick<RecordKind<{ id: string }>, 'sorts' | 'defaultSort' | 'filters' | 'wholeListParameters' | 'wholeListKind'>
/** The server ignores the order of this sort: the newest record is always first. */
const newestFirst = { sort: 'newest', order: 'asc' } as const
const getDefaultSort = ({ defaultSort }: Pick<Kind, 'defaultSort'>) => defaultSort ?? newestFirst

/** Converts URL parameters to settings. Drops a sort and conditions that the kind does not support. */
export function toListSettings(kind: Kind, { search = '', filter = [], sort, order = 'asc', columns }: ListParameters): ListSettings {
  const isKnownSort = sort === newestFirst.sort || kind.sorts.some(({ name }) => name === sort)
  const allowedConditions = conditionsSchema(kind.filters)
  const sortAndOrder =
    sort !== undefined && isKnownSort ? { sort, order: sort === newestFirst.sort ? newestFirst.order : order } : getDefaultSort(kind)
  return {
    search,
    filter: keepFirstOfEachField(filter.filter((condition) => z.safeParse(allowedConditions, [condition]).success)),
    ...sortAndOrder,
    columns: columns?.split(','),
  }
}

/** Keeps the first condition on each field, because the screen shows only one condition per field. */
const keepFirstOfEachField = (filter: Condition[]): Condition[] =>
  filter.filter(({ field }, index) => filter.findIndex((each) => each.field === field) === index)

/** Converts settings to URL parameters, without default values. */
export function toListParameters(kind: Pick<Kind, 'defaultSort'>, { search, filter, sort, order, columns }: ListSettings): ListParameters {
  const defaults = getDefaultSort(kind)
  const isDefault = sort === defaults.sort && order === defaults.order
  return omitEmpty({
    search: search.trim() && search,
    filter: [...filter],
    sort: isDefault ? undefined : sort,
    order: isDefault || order === 'asc' ? undefined : order,
    columns: columns?.join(','),
  })
}

/** Returns the sort after a click on a column header: first ascending, then descending, then the default sort. */
export function getNextSort(
  kind: Pick<Kind, 'defaultSort'>,
  { sort, order }: ListQuery,
  column: string,
): Pick<ListQuery, 'sort' | 'order'> {
  if (column !== sort) return { sort: column, order: 'asc' }
  return order === 'asc' ? { sort: column, order: 'desc' } : getDefaultSort(kind)
}

/** Converts the search text and the filter to query parameters of an API request. */
export const toApiQuery = ({ search, filter }: Pick<ListQuery, 'search' | 'filter'>) => ({
  search,
  ...(filter.length > 0 && { filter: JSON.stringify(filter) }),
})

const omitEmpty = ({ search, filter, sort, order, columns }: ListParameters): ListParameters => ({
  ...(search && { search }),
  ...(filter && filter.length > 0 && { filter }),
  ...(sort && { sort }),
  ...(order && { order }),
  ...(columns && { columns }),
})

/**
 * Changes some settings of a list. Replaces the current entry of the browser history, unless `addsHistoryEntry` is true. With
 * `opensWholeList`, the list of all records replaces a tab with some of them: see `wholeListParameters` of the kind.
 */
export type ChangeSettings = (changes: Partial<ListSettings>, options?: { addsHistoryEntry: boolean; opensWholeList?: boolean }) => void

/** Returns the settings in the URL of a list, and a function that changes them. Other URL parameters are kept. */
export function useListSettings(kind: Kind): { settings: ListSettings; changeSettings: ChangeSettings } {
  // the parameters are compared as a string, so that a change of other URL parameters does not render the list again
  const parametersJson = useRouterState({ select: ({ location }) => JSON.stringify(parseListParameters(location.search)) })
  const settings = useMemo(() => toListSettings(kind, parseListParameters(JSON.parse(parametersJson))), [kind, parametersJson])
  const navigate = useNavigate()
  const changeSettings = useCallback<ChangeSettings>(
    (changes, { addsHistoryEntry, opensWholeList } = { addsHistoryEntry: false }) => {
      void navigate({
        to: '.',
        search: (previousParameters: Record<string, unknown>) => {
          const { search: _search, filter: _filter, sort: _sort, order: _order, columns: _columns, ...otherParameters } = previousParameters
          const next = { ...toListSettings(kind, parseListParameters(previousParameters)), ...changes }
          if (!opensWholeList) return { ...otherParameters, ...toListParameters(kind, next) }
          const wholeListKind = kind.wholeListKind ?? kind // its default sort may differ from that of the tab, and is left out of the URL
          return { ...otherParameters, ...kind.wholeListParameters, ...toListParameters(wholeListKind, next) }
        },
        replace: !addsHistoryEntry,
        resetScroll: false,
      })
    },
    [kind, navigate],
  )
  return { settings, changeSettings }
}
