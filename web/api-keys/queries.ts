import { queryOptions, skipToken, useMutation, useQueryClient } from '@tanstack/react-query'
import { apiKeyRoutes, type ApiKey } from '#contract/apiKeys.ts'
import type { RequestInput } from '#contract/route.ts'
import { call } from '#web/lib/client.ts'
import { toastError } from '#web/lib/toasts.ts'
import { storeWithoutUndo, toastWithoutUndo } from '#web/lib/withoutUndo.ts'
import { useIsMounted } from '#web/ui/useIsMounted.ts'

/** The query of all keys, newest first. */
export const apiKeysQuery = queryOptions({
  queryKey: ['api_keys'],
  meta: { tables: ['api_keys'] },
  queryFn: ({ signal }) => call(apiKeyRoutes.list, {}, { signal }),
})

/** A key that was just created, with the whole key, which the server never sends again. */
export type CreatedKey = ApiKey & { key: string }

/**
 * The keys that were just created, newest first, until the user confirms that they are saved. They are kept in the memory of this tab,
 * so that they are still shown after a visit to another page.
 */
export const createdKeysQuery = queryOptions<readonly CreatedKey[]>({
  queryKey: ['created api keys'],
  queryFn: skipToken, // so that a refresh of all queries does not replace the keys
  initialData: [],
  gcTime: Infinity,
})

/** Creates a key and shows it. */
export function useCreateKey(onError: (error: unknown) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestInput<typeof apiKeyRoutes.create>['body']) => call(apiKeyRoutes.create, { body }),
    onError,
    onSuccess: (created) => {
      storeWithoutUndo('API key created')
      queries.setQueryData(createdKeysQuery.queryKey, (others = []) => [created, ...others])
    },
    onSettled: () => queries.invalidateQueries(apiKeysQuery),
  })
}

/** Removes a created key from the memory. */
export function useForgetCreatedKey() {
  const queries = useQueryClient()
  return (id: string) => queries.setQueryData(createdKeysQuery.queryKey, (keys = []) => keys.filter((key) => key.id !== id))
}

/** Deletes a key. `onDeleted` is not called after the dialog was closed. */
export function useDeleteKey(onDeleted: () => void) {
  const queries = useQueryClient()
  const isOpen = useIsMounted()
  const forget = useForgetCreatedKey()
  return useMutation({
    mutationFn: ({ id }: ApiKey) => call(apiKeyRoutes.delete, { params: { id } }),
    onError: (error) => toastError(error, 'Failed to delete API key'),
    onSuccess: (_, { id, name }) => {
      forget(id)
      toastWithoutUndo('API key deleted', `${name} no longer works.`)
      if (isOpen.current) onDeleted()
    },
    onSettled: () => queries.invalidateQueries(apiKeysQuery),
  })
}
