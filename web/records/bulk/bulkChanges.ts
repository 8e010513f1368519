import { useMutation } from '@tanstack/react-query'
import { callForChange, ProblemError, trackWrite, call } from '#web/lib/client.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { sentenceOf, toast } from '#web/lib/toasts.ts'
import { sayDone } from '#web/lib/undo.ts'
import type { BulkSelection } from '#web/records/bulk/selection.ts'
import type { ListRoutes } from '#web/records/kind/kind.ts'
import { changeRoutes } from '#contract/changes.ts'
import { capitalised, countOf } from '#web/lib/format.ts'

/** What changing many must know of a kind of record; a list's kind knows it. */
export type BulkKind = { singular: string; plural: string; table: string; routes: Pick<ListRoutes<unknown>, 'editMany' | 'tagMany'> }

type Outcome = 'updated' | 'tagged'
type Change = { change: string | undefined }

/** Gives the chosen records the same value in some fields, as one change, and says how many. */
export const useBulkEdit = (kind: BulkKind, selection: BulkSelection) =>
  useBulkChange(kind, selection, 'updated', (fields: Record<string, unknown>) =>
    callForChange(kind.routes.editMany, { body: { ...selection, fields } }),
  )

/** Puts tags on the chosen records and takes others off, as one change, and says how many. */
export const useBulkTag = (kind: BulkKind, selection: BulkSelection) =>
  useBulkChange(kind, selection, 'tagged', (tags: { add: string[]; remove: string[] }) => {
    if (!kind.routes.tagMany) throw new Error(`A ${kind.singular} carries no tags`)
    return callForChange(kind.routes.tagMany, { body: { ...selection, ...tags } })
  })

function useBulkChange<Changes>(kind: BulkKind, selection: BulkSelection, outcome: Outcome, send: (changes: Changes) => Promise<Change>) {
  return useMutation({
    mutationFn: (changes: Changes) => trackWrite(send(changes).then(({ change }) => bulkResult(kind, outcome, selection, change))),
    onSuccess: ({ title, change }) => {
      if (change === undefined) toast({ kind: 'info', title: 'Nothing to change', message: 'All of them are like that already.' })
      else sayDone(title, change)
    },
    onSettled: () => refreshTables([kind.table]),
  })
}

/** Why many could not be changed: what is wrong with the value, else the reason as a sentence. */
export function bulkErrorMessage(error: unknown): string {
  const [sentence] = error instanceof ProblemError ? Object.values(error.problem.fields ?? {}) : []
  return sentence ?? sentenceOf(error)
}

type Nouns = { singular: string; plural: string }

type BulkResult = { title: string; change: string | undefined }

/**
 * What a call changed: "Contact updated", "12 contacts updated". It counts the records that are different now, which may be fewer than
 * were chosen. Where the server does not say how many they are, it is "Contacts updated".
 */
export async function bulkResult(
  { singular, plural }: Nouns,
  outcome: string,
  selection: BulkSelection,
  change: string | undefined,
): Promise<BulkResult> {
  const number = await changedCount(selection, change)
  if (number === undefined) return { title: `${capitalised(plural)} ${outcome}`, change }
  return { title: number === 1 ? `${capitalised(singular)} ${outcome}` : `${countOf(number, singular, plural)} ${outcome}`, change }
}

async function changedCount({ ids }: BulkSelection, change: string | undefined): Promise<number | undefined> {
  if (change === undefined) return 0
  if (ids?.length === 1) return 1
  try {
    return (await call(changeRoutes.get, { params: { id: change } })).count
  } catch {
    return undefined // the change is done: that its number is unknown is no reason to be silent about it
  }
}
