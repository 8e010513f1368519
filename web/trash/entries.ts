import type { TrashEntry } from '#contract/changes.ts'
import { kindByTable } from '#web/lib/features.ts'
import { capitalised } from '#web/lib/format.ts'

/** What a deleted record was: "Contact". */
export function kindOf(table: string): string {
  return capitalised(kindByTable(table)?.singular ?? 'record')
}

/** Whole days until a record is erased; at least one, because it is still there. */
export const daysLeft = (goneAt: string, now = Date.now()): number =>
  Math.max(1, Math.ceil((new Date(goneAt).getTime() - now) / 86_400_000))

/** What one change deleted. `goesOn`: there may be more of it among what is not loaded yet. */
export type Group = { change: string; entries: readonly [TrashEntry, ...TrashEntry[]]; goesOn: boolean }

/** The entries by the change that deleted them, in their order. */
export function groupsOf(entries: readonly TrashEntry[], moreToLoad: boolean): Group[] {
  const last = entries.at(-1)?.change
  return [...Map.groupBy(entries, ({ change }) => change)].flatMap(([change, [first, ...others]]) =>
    first ? [{ change, entries: [first, ...others] as const, goesOn: moreToLoad && change === last }] : [],
  )
}
