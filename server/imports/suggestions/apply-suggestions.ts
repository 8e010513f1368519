import { canAskAi } from '#contract/imports.ts'
import type { Column, ColumnMapping } from '../mapping/column-mapping.ts'
import { repeatableFields, setFields } from '../mapping/map-columns.ts'

/**
 * Returns the mapping with the fields that the AI suggests, by the index of the column. Ignores the suggestions for columns that are not
 * open to the AI, and a field that another column has, unless several columns can have it.
 */
export function applySuggestions(
  columns: readonly Column[],
  mapping: readonly ColumnMapping[],
  suggested: ReadonlyMap<number, string | null>,
): ColumnMapping[] {
  const open = [...suggested].filter(([index]) => mapping.some((column, position) => position === index && canAskAi(column)))
  const accepted = new Map(open)
  // a column whose suggestion is ignored keeps its field, so another suggestion of this field must then be ignored too
  for (let index = findTaken(mapping, accepted); index !== undefined; index = findTaken(mapping, accepted)) accepted.delete(index)
  return setFields(columns, mapping, accepted, { certainty: 'unsure', reason: 'ai' })
}

/** Returns the index of a column whose suggested field belongs to another column; undefined if there is none. */
function findTaken(mapping: readonly ColumnMapping[], accepted: ReadonlyMap<number, string | null>): number | undefined {
  const isTaken = ([index, field]: [number, string | null]): boolean =>
    field !== null &&
    !repeatableFields.has(field) &&
    mapping.some((other, position) => {
      if (position === index) return false
      return accepted.has(position) ? position < index && accepted.get(position) === field : other.field === field
    })
  return [...accepted].find(isTaken)?.[0]
}
