import type { Condition, FilterType } from '#contract/lists.ts'
import { getField, type KindField, type ListRoutes, type RecordKind } from '#web/records/kind/kind.ts'

/** The parts of a record kind that filters use. */
export type FilterableKind = Pick<RecordKind<{ id: string }>, 'singular' | 'plural' | 'table' | 'fields' | 'filters' | 'filterFields'> & {
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

/** Returns whether a condition is on this field of the filter menu, or, if the field is a link, on the title that is stored with it. */
export const isOnField = ({ name, titleField }: Pick<FilterField, 'name' | 'titleField'>, { field }: Condition): boolean =>
  field === name || field === titleField

/**
 * Returns the filter with `condition` in the place of the condition on `fieldName`. If there is no condition on `fieldName`, inserts
 * `condition` at `index`. If `condition` is undefined, only removes the old one. `condition` may be on another field than `fieldName`, such
 * as the title that is stored with a link; an earlier condition on that field is then removed too.
 */
export function replaceCondition(
  filter: readonly Condition[],
  fieldName: string,
  condition: Condition | undefined,
  index = filter.length,
): Condition[] {
  const others = filter.filter(({ field }) => field === fieldName || field !== condition?.field)
  const exists = others.some(({ field }) => field === fieldName)
  if (!exists) return condition ? others.toSpliced(index, 0, condition) : others
  return others.flatMap((each) => (each.field === fieldName ? (condition ?? []) : each))
}
