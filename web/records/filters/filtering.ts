import type { Condition, FilterType } from '#contract/lists.ts'
import { getField, type KindField, type ListRoutes, type RecordKind } from '#web/records/kind/kind.ts'

/** The parts of a record kind that filters use. */
export type FilterableKind = Pick<RecordKind<{ id: string }>, 'plural' | 'table' | 'fields' | 'filters' | 'filterFields'> & {
  routes: Pick<ListRoutes<unknown>, 'tags'>
}

/** A field that a list can be filtered by. */
export type FilterField = KindField & { name: string; type: FilterType }

/** The fields of the filter menu, in the order of the menu. */
export const getFilterFields = (kind: Pick<FilterableKind, 'fields' | 'filters' | 'filterFields'>): FilterField[] =>
  kind.filterFields.flatMap((name) => {
    const field = getField(kind, name)
    const type = kind.filters[name]
    return field && type ? [{ ...field, name, type }] : []
  })

/** Adds or replaces the condition on a field; a new one is added at `index`. Removes it if `condition` is undefined. */
export function replaceCondition(
  filter: readonly Condition[],
  fieldName: string,
  condition: Condition | undefined,
  index = filter.length,
): Condition[] {
  const exists = filter.some(({ field }) => field === fieldName)
  if (!exists) return condition ? filter.toSpliced(index, 0, condition) : [...filter]
  return filter.flatMap((each) => (each.field === fieldName ? (condition ?? []) : each))
}
