import { useMutation } from '@tanstack/react-query'
import { callForChange, ProblemError, underWay } from '#web/lib/client.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { sentenceOf, toast } from '#web/lib/toasts.ts'
import { sayDone } from '#web/lib/undo.ts'
import { inWords } from './changed.ts'
import type { Chosen } from './chosen.ts'
import type { ListRoutes } from '#web/records/list/listKind.ts'

/** What changing many must know of a kind of record; a list's kind knows it. */
export type ManyKind = { singular: string; plural: string; table: string; routes: Pick<ListRoutes<unknown>, 'editMany' | 'tagMany'> }

type Done = 'updated' | 'tagged'
type Change = { change: string | undefined }

/** Gives the chosen records the same value in some fields, as one change, and says how many. */
export const useEditMany = (kind: ManyKind, chosen: Chosen) =>
  useChangeMany(kind, chosen, 'updated', (fields: Record<string, unknown>) =>
    callForChange(kind.routes.editMany, { body: { ...chosen, fields } }),
  )

/** Puts tags on the chosen records and takes others off, as one change, and says how many. */
export const useTagMany = (kind: ManyKind, chosen: Chosen) =>
  useChangeMany(kind, chosen, 'tagged', (tags: { add: string[]; remove: string[] }) => {
    if (!kind.routes.tagMany) throw new Error(`A ${kind.singular} carries no tags`)
    return callForChange(kind.routes.tagMany, { body: { ...chosen, ...tags } })
  })

function useChangeMany<Changes>(kind: ManyKind, chosen: Chosen, done: Done, send: (changes: Changes) => Promise<Change>) {
  return useMutation({
    mutationFn: (changes: Changes) => underWay(send(changes).then(({ change }) => inWords(kind, done, chosen, change))),
    onSuccess: ({ title, change }) => {
      if (change === undefined) toast({ kind: 'info', title: 'Nothing to change', message: 'All of them are like that already.' })
      else sayDone(title, change)
    },
    onSettled: () => refreshTables([kind.table]),
  })
}

/** Why many could not be changed: what is wrong with the value, else the reason as a sentence. */
export function reasonOf(error: unknown): string {
  const [sentence] = error instanceof ProblemError ? Object.values(error.problem.fields ?? {}) : []
  return sentence ?? sentenceOf(error)
}
