import type { Import, ImportKind } from '#contract/imports.ts'
import type { Condition } from '#contract/lists.ts'
import { formatShortDay, getDayOf } from '#web/lib/format.ts'
import { importNouns } from '../kinds.ts'

/**
 * The link from an import to the list: records created on the day of the import or later, all records if it has created none. The label
 * says so, because the list also has other records of that day, and a bulk action would change them too.
 */
export function getListLink({ kind, created, started_at: startedAt }: Import): { label: string; search: ListParameters } {
  const { plural } = importNouns[kind]
  const parameters = allRecordsParameters[kind]
  if (startedAt === null || created === 0) return { label: `Show all ${plural}`, search: { ...parameters } }
  const day = getDayOf(Date.parse(startedAt))
  return {
    label: `Show ${plural} added since ${formatShortDay(day)}`,
    search: { filter: [{ field: 'created_at', from: day }], ...parameters },
  }
}

type ListParameters = { filter?: Condition[]; as?: 'list'; view?: 'all' }

/** The parameters with which a page that opens on a board or a tab shows the list of all records. */
const allRecordsParameters: Partial<Record<ImportKind, ListParameters>> = { deal: { as: 'list' }, task: { view: 'all' } }
