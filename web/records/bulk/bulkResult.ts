import { call } from '#web/lib/client.ts'
import { capitalise, formatCount } from '#web/lib/format.ts'
import type { BulkSelection } from '#web/records/bulk/selection.ts'

/** The id of the saved change; undefined if no record was changed. `isRunning`: a job continues the change. */
export type BulkChange = { changeId: string | undefined; isRunning: boolean }

type KindLabels = { singular: string; plural: string }

type BulkResult = BulkChange & { title: string }

/**
 * Returns the title of the toast after a bulk change: "Contact updated" or "12 contacts updated". It contains the number of changed
 * records, which may be lower than the number of selected records. If the number is unknown, the title is "Contacts updated".
 */
export async function describeBulkResult(
  { singular, plural }: KindLabels,
  outcome: string,
  selection: BulkSelection,
  change: BulkChange,
): Promise<BulkResult> {
  const number = await loadChangedCount(selection, change)
  if (number === undefined) return { title: `${capitalise(plural)} ${outcome}`, ...change }
  if (number === 1) return { title: `${capitalise(singular)} ${outcome}`, ...change }
  return { title: `${formatCount(number, singular, plural)} ${outcome}`, ...change }
}

async function loadChangedCount({ ids }: BulkSelection, { changeId, isRunning }: BulkChange): Promise<number | undefined> {
  if (changeId === undefined) return 0
  if (ids?.length === 1) return 1 // the server has changed something, and only this record was selected
  if (isRunning) return ids?.length // the job is not finished, so this is the number of selected records
  try {
    const { changeRoutes } = await import('#contract/changes.ts') // not needed by the first load of a list
    return (await call(changeRoutes.get, { params: { id: changeId } })).count
  } catch {
    return undefined // the change was saved, so the toast appears without the number
  }
}
