import { maxSelectedIds, type Condition } from '#contract/lists.ts'
import { formatNumber } from '#web/lib/format.ts'
import type { Selection } from '#web/ui/selection.ts'
import type { ListQuery } from '#web/records/address/listSettings.ts'

/** The records of a bulk request: those with the `ids`, or all that match a search text and a filter. */
export type BulkSelection = { ids: string[]; matching?: undefined } | { ids?: undefined; matching: { search: string; filter: Condition[] } }

/**
 * `total` is the exact number of matching records, undefined if unknown. `count` is their number as text, such as "1,000+"; null if
 * unknown.
 */
type List = { rows: readonly unknown[]; total: number | undefined; count: string | null }

/**
 * Converts a selection for a request. Returns undefined if the selection contains more than `maxSelectedIds` ids, unless it contains all
 * records that match the search text and the filter.
 */
export function toBulkSelection(
  { ids, isEveryMatchSelected, isEveryLoadedRowSelected }: Selection,
  { rows, total }: List,
  { search, filter }: ListQuery,
): BulkSelection | undefined {
  const isEveryRowLoaded = total === rows.length
  const hasTooManyIds = ids.size > maxSelectedIds
  const isAll = isEveryMatchSelected || (hasTooManyIds && isEveryLoadedRowSelected && isEveryRowLoaded)
  if (isAll) return { matching: { search, filter: [...filter] } }
  return hasTooManyIds ? undefined : { ids: [...ids] }
}

/** Formats the number of selected records: "12", "1,284", "1,000+". */
export function formatSelectionCount({ ids, isEveryMatchSelected }: Selection, { count, total }: List): string {
  if (!isEveryMatchSelected) return formatNumber(ids.size)
  return total === undefined ? (count ?? 'all') : formatNumber(total)
}
