import { known } from '#web/lib/features.ts'
import { capitalised } from '#web/lib/format.ts'

/** What a deleted record was: "Contact". */
export function kindOf(table: string): string {
  return capitalised(known.get().records.find((each) => each.table === table)?.noun ?? 'record')
}

/** Whole days until a record is erased; at least one, because it is still there. */
export const daysLeft = (goneAt: string, now = Date.now()): number =>
  Math.max(1, Math.ceil((new Date(goneAt).getTime() - now) / 86_400_000))
