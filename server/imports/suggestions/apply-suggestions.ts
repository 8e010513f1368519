import { canAskAi } from '#contract/imports.ts'
import type { Column, ColumnMapping } from '../mapping/column-mapping.ts'
import { repeatableFields, setFields } from '../mapping/map-columns.ts'

/**
 * Returns the mapping with the fields that the AI suggests. `suggested` has them by the index of the column; null stands for no field.
 * Ignores a suggestion if the AI cannot be asked about the column, or if another column has the field and only one can have it.
 */
export function applySuggestions(
  columns: readonly Column[],
  mapping: readonly ColumnMapping[],
  suggested: ReadonlyMap<number, string | null>,
): ColumnMapping[] {
  const allowed = [...suggested].filter(([index]) => {
    const column = mapping[index]
    return column !== undefined && canAskAi(column)
  })
  const accepted = new Map(allowed)
  // a column whose suggestion is ignored keeps its field, so another suggestion of this field must then be ignored too
  for (let index = findTaken(mapping, accepted); index !== undefined; index = findTaken(mapping, accepted)) accepted.delete(index)
  return setFields(columns, mapping, accepted, { certainty: 'unsure', reason: 'ai' })
}

/** Returns the index of a column whose suggested field belongs to another column; undefined if there is none. */
function findTaken(mapping: readonly ColumnMapping[], accepted: ReadonlyMap<number, string | null>): number | undefined {
  const isTaken = ([index, field]: [number, string | null]): boolean => {
    if (field === null || repeatableFields.has(field)) return false
    return mapping.some((other, position) => {
      if (position === index) return false
      if (!accepted.has(position)) return other.field === field
      return accepted.get(position) === field && position < index // of two columns with the same suggestion, the first gets the field
    })
  }
  return [...accepted].find(isTaken)?.[0]
}
