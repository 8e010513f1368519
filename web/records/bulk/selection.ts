import { idsLimit, type Condition } from '#contract/lists.ts'
import { count as inDigits } from '#web/lib/format.ts'
import type { Selection } from '#web/ui/selection.ts'
import type { ListQuery } from '#web/records/address/listSearch.ts'

/** The records that a call is about, as the server takes them: named by their ids, or all that match. */
export type BulkSelection = { ids: string[]; matching?: undefined } | { ids?: undefined; matching: { search: string; filter: Condition[] } }

type List = { rows: readonly unknown[]; total: number | undefined; count: string | null }

/** What is selected, for the server; undefined when these are more than one call names and not all that match. */
export function toBulkSelection(
  { ids, allMatching, allLoaded }: Selection,
  { rows, total }: List,
  { search, filter }: ListQuery,
): BulkSelection | undefined {
  const isAll = allMatching || (allLoaded && ids.size > idsLimit && total === rows.length)
  if (isAll) return { matching: { search, filter: [...filter] } }
  return ids.size > idsLimit ? undefined : { ids: [...ids] }
}

/** How many are selected: "12", "1,284", "1,000+". */
export function selectionCount({ ids, allMatching }: Selection, { count, total }: List): string {
  if (!allMatching) return inDigits(ids.size)
  return total === undefined ? (count ?? 'all') : inDigits(total)
}
