import type { Import, ImportKind } from '#contract/imports.ts'
import type { Condition } from '#contract/lists.ts'
import { getDayOf } from '#web/lib/format.ts'

/** The parameters of a list with the records of an import, the newest first: from the day of the import, if it has created any. */
export function getListParameters({ kind, created, started_at: startedAt }: Import): ListOfImport {
  const day = startedAt && created > 0 ? getDayOf(Date.parse(startedAt)) : undefined
  return { ...(day !== undefined && { filter: [{ field: 'created_at', from: day }] }), ...wholeLists[kind] }
}

type ListOfImport = { filter?: Condition[]; as?: 'list'; view?: 'all' }

/** The parameters with which a page that opens on a board or a tab shows the list of all records. */
const wholeLists: Partial<Record<ImportKind, ListOfImport>> = { deal: { as: 'list' }, task: { view: 'all' } }
