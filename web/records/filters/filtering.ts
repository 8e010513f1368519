import type { Condition, FilterType } from '#contract/lists.ts'
import type { ListField, ListKind, ListRoutes } from '#web/records/kind/kind.ts'

/** What filtering must know of a kind of record; a list's kind knows it. */
export type FilterableKind = Pick<ListKind<{ id: string }>, 'plural' | 'table' | 'fields' | 'filters'> & {
  routes: Pick<ListRoutes<unknown>, 'tags'>
}

/** A field by which a list can be filtered, and how it can be asked for. */
export type FilteredField = { field: ListField; kind: FilterType }

/** The fields of a kind that can be asked for, in its order. */
export const filteredFields = ({ fields, filters }: Pick<FilterableKind, 'fields' | 'filters'>): FilteredField[] =>
  fields.flatMap((field) => {
    const kind = filters[field.name]
    return kind ? [{ field, kind }] : []
  })

/** The conditions with this one in the place of that on the same field; without one, without that. */
export function withCondition(filter: readonly Condition[], name: string, condition: Condition | undefined): Condition[] {
  const stands = filter.some(({ field }) => field === name)
  if (!stands) return condition ? [...filter, condition] : [...filter]
  return filter.flatMap((each) => (each.field === name ? (condition ?? []) : each))
}
