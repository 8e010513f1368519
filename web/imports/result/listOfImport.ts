import type { Import, ImportKind } from '#contract/imports.ts'
import type { Condition } from '#contract/lists.ts'
import { getDayOf } from '#web/lib/format.ts'

/** Returns the URL parameters of the list: records created on the day of the import or later; all records if it has created none. */
export function getListParameters({ kind, created, started_at: startedAt }: Import): ListParameters {
  const day = startedAt && created > 0 ? getDayOf(Date.parse(startedAt)) : undefined
  return { ...(day !== undefined && { filter: [{ field: 'created_at', from: day }] }), ...allRecordsParameters[kind] }
}

type ListParameters = { filter?: Condition[]; as?: 'list'; view?: 'all' }

/** The parameters with which a page that opens on a board or a tab shows the list of all records. */
const allRecordsParameters: Partial<Record<ImportKind, ListParameters>> = { deal: { as: 'list' }, task: { view: 'all' } }
