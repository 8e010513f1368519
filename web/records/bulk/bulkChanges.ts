import { useMutation } from '@tanstack/react-query'
import { callForChange, ProblemError, trackWrite, call } from '#web/lib/client.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { describeError, toast } from '#web/lib/toasts.ts'
import { toastChange } from '#web/lib/undo.ts'
import type { BulkSelection } from '#web/records/bulk/selection.ts'
import { useToastAfterClose } from '#web/records/form/useToastAfterClose.ts'
import type { ListRoutes } from '#web/records/kind/kind.ts'
import { capitalise, formatCount } from '#web/lib/format.ts'

/** The parts of a record kind that bulk changes use. */
export type BulkKind = { singular: string; plural: string; table: string; routes: Pick<ListRoutes<unknown>, 'editMany' | 'tagMany'> }

type Outcome = 'updated' | 'tagged'
const failures: Record<Outcome, string> = { updated: 'Error updating', tagged: 'Error tagging' }
/** The id of the saved change; undefined if no record was changed. `isRunning`: a job continues the change. */
export type BulkChange = { changeId: string | undefined; isRunning: boolean }

/** Sets fields of the selected records in one change, and shows the number of changed records in a toast. */
export const useBulkEdit = (kind: BulkKind, selection: BulkSelection) =>
  useBulkChange(kind, selection, 'updated', (fields: Record<string, unknown>) =>
    callForChange(kind.routes.editMany, { body: { ...selection, fields } }),
  )

/** Adds and removes tags of the selected records in one change, and shows the number of changed records in a toast. */
export const useBulkTag = (kind: BulkKind, selection: BulkSelection) =>
  useBulkChange(kind, selection, 'tagged', (tags: { add: string[]; remove: string[] }) => {
    if (!kind.routes.tagMany) throw new Error(`A ${kind.singular} cannot have tags`)
    return callForChange(kind.routes.tagMany, { body: { ...selection, ...tags } })
  })

function useBulkChange<Changes>(
  kind: BulkKind,
  selection: BulkSelection,
  outcome: Outcome,
  send: (changes: Changes) => Promise<BulkChange>,
) {
  const toastAfterClose = useToastAfterClose(`${failures[outcome]} ${kind.plural}`, bulkErrorMessage)
  return useMutation({
    mutationFn: (changes: Changes) => trackWrite(send(changes).then((change) => describeBulkResult(kind, outcome, selection, change))),
    onError: toastAfterClose,
    onSuccess: ({ title, changeId }) => {
      if (changeId === undefined) toast({ kind: 'info', title: 'Nothing to change', message: 'None of them needs this change.' })
      else toastChange(title, changeId)
    },
    onSettled: () => refreshTables([kind.table]),
  })
}

/** The message for a failed bulk change: the first field error, or else the general message. */
export function bulkErrorMessage(error: unknown): string {
  const [fieldError] = error instanceof ProblemError ? Object.values(error.problem.fields ?? {}) : []
  return fieldError ?? describeError(error)
}

type KindLabels = Pick<BulkKind, 'singular' | 'plural'>

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
