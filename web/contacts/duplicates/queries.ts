import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { RequestInput } from '#contract/route.ts'
import { duplicateRoutes, type Pair } from '#contract/duplicates.ts'
import { call, callForChange } from '#web/lib/client.ts'
import { toastError } from '#web/lib/toasts.ts'
import { toastChange } from '#web/lib/undo.ts'

type PairsResponse = { rows: Pair[]; more: boolean }

/**
 * The likely pairs. A change of a contact does not refetch them, because the server compares all contacts and an import may change many.
 * The button "Look again" refetches them, and an undo refetches everything.
 */
export const pairsQuery = queryOptions({
  queryKey: ['duplicates'],
  queryFn: ({ signal }) => call(duplicateRoutes.duplicates, {}, { signal }),
  staleTime: 300_000,
})

/** The recent merges that can be undone. */
export const mergesQuery = queryOptions({
  queryKey: ['duplicates', 'merges'],
  meta: { tables: ['crm_contacts'] },
  queryFn: ({ signal }) => call(duplicateRoutes.recentMerges, {}, { signal }),
})

/** The query of two contacts and the records that a merge would move. */
export const comparisonQuery = (id: string, otherId: string) =>
  queryOptions({
    queryKey: ['duplicates', 'comparison', id, otherId],
    meta: { tables: ['crm_contacts', 'deals', 'tasks', 'notes', 'files'] },
    queryFn: ({ signal }) => call(duplicateRoutes.compare, { params: { id }, query: { other_id: otherId } }, { signal }),
  })

type MergeInput = { id: string; name: string; body: RequestInput<typeof duplicateRoutes.merge>['body'] }

/** Merges two contacts. All pairs with the deleted contact disappear at once. */
export function useMerge() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, body }: MergeInput) => callForChange(duplicateRoutes.merge, { params: { id }, body }),
    onError: (error) => {
      toastError(error, 'Not merged')
      void queries.invalidateQueries({ queryKey: ['duplicates', 'comparison'] })
    },
    onSuccess: ({ changeId }, { name, body }) => {
      toastChange('Contacts merged', changeId, name)
      removePairs((pair) => [pair.contact.id, pair.other.id].includes(body.other_id))
      void queries.invalidateQueries(mergesQuery)
    },
  })

  function removePairs(matches: (pair: Pair) => boolean): void {
    queries.setQueryData<PairsResponse>(
      pairsQuery.queryKey,
      (list) => list && { ...list, rows: list.rows.filter((pair) => !matches(pair)) },
    )
  }
}

/** Stores that two contacts are different persons. The pair disappears at once. */
export function useDismissPair() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ([id, otherId]: readonly [string, string]) =>
      callForChange(duplicateRoutes.dismissPair, { params: { id }, body: { other_id: otherId } }),
    onError: (error) => toastError(error),
    onSuccess: ({ changeId }, ids) => {
      toastChange('Kept as two contacts', changeId)
      queries.setQueryData<PairsResponse>(
        pairsQuery.queryKey,
        (list) => list && { ...list, rows: list.rows.filter(({ contact, other }) => !ids.includes(contact.id) || !ids.includes(other.id)) },
      )
    },
  })
}
