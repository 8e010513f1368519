import { idsLimit, type Condition } from '#contract/lists.ts'
import { formatNumber as inDigits } from '#web/lib/format.ts'
import type { Selection } from '#web/ui/selection.ts'
import type { ListQuery } from '#web/records/address/listSearch.ts'

/** The records of a bulk request: ids, or everything that matches a search and a filter. */
export type BulkSelection = { ids: string[]; matching?: undefined } | { ids?: undefined; matching: { search: string; filter: Condition[] } }

type List = { rows: readonly unknown[]; total: number | undefined; count: string | null }

/** Converts a selection for a request. Returns undefined if it contains more than `idsLimit` ids but not all matching records. */
export function toBulkSelection(
  { ids, allMatching, allLoaded }: Selection,
  { rows, total }: List,
  { search, filter }: ListQuery,
): BulkSelection | undefined {
  const isAll = allMatching || (allLoaded && ids.size > idsLimit && total === rows.length)
  if (isAll) return { matching: { search, filter: [...filter] } }
  return ids.size > idsLimit ? undefined : { ids: [...ids] }
}

/** The number of selected records: "12", "1,284", "1,000+". */
export function selectionCount({ ids, allMatching }: Selection, { count, total }: List): string {
  if (!allMatching) return inDigits(ids.size)
  return total === undefined ? (count ?? 'all') : inDigits(total)
}
