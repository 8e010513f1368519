import { infiniteQueryOptions, queryOptions, skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RequestInput } from '#contract/route.ts'
import { webhookRoutes, type WebhookDelivery, type WebhookEndpoint, type WebhookPatch } from '#contract/webhooks.ts'
import { call } from '#web/lib/client.ts'
import { toastError } from '#web/lib/toasts.ts'
import { storeWithoutUndo, toastWithoutUndo } from '#web/lib/withoutUndo.ts'

const tables = ['webhook_endpoints']
/** The server sends deliveries in the background, so the log polls while some are waiting. */
const pollMs = 3000

export const endpointsQuery = queryOptions({
  queryKey: ['webhook_endpoints'],
  meta: { tables },
  queryFn: ({ signal }) => call(webhookRoutes.list, {}, { signal }),
})

export const endpointQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhook_endpoints', id],
    meta: { tables },
    queryFn: ({ signal }) => call(webhookRoutes.get, { params: { id } }, { signal }),
  })

export type StatusFilter = WebhookDelivery['status'] | undefined

/** The log of an endpoint, in pages. */
export const deliveriesQuery = (id: string, status: StatusFilter) =>
  infiniteQueryOptions({
    queryKey: ['webhook_endpoints', id, 'deliveries', status],
    meta: { tables },
    initialPageParam: '',
    queryFn: ({ signal, pageParam }) =>
      call(webhookRoutes.deliveries, { params: { id }, query: { status, after: pageParam || undefined } }, { signal }),
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ rows }) => rows.some((delivery) => delivery.status === 'waiting')) ? pollMs : false,
  })

/** The secret of an endpoint that was just added or whose secret was just replaced. The server never sends it again. */
export type NewSecret = { id: string; url: string; secret: string }

/** The new secrets until the user confirms that they are saved, newest first. They are kept in the memory of this tab. */
const newSecretsQuery = queryOptions<readonly NewSecret[]>({
  queryKey: ['new webhook secrets'],
  queryFn: skipToken, // so that a refresh of all queries does not replace the secrets
  initialData: [],
  gcTime: Infinity,
})

/** Returns the new secrets, and functions that add one and forget the secret of an endpoint. */
export function useNewSecrets() {
  const queries = useQueryClient()
  const change = (update: (secrets: readonly NewSecret[]) => readonly NewSecret[]): void =>
    void queries.setQueryData(newSecretsQuery.queryKey, (secrets = []) => update(secrets))
  return {
    secrets: useQuery(newSecretsQuery).data ?? [],
    add: (added: NewSecret): void => change((secrets) => [added, ...secrets.filter(({ id }) => id !== added.id)]),
    forget: (id: string): void => change((secrets) => secrets.filter((secret) => secret.id !== id)),
  }
}

export function useAddEndpoint(onError: (error: unknown) => void, onAdded: (added: NewSecret) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestInput<typeof webhookRoutes.create>['body']) => call(webhookRoutes.create, { body }),
    onError,
    onSuccess: (added) => {
      storeWithoutUndo('Webhook added')
      onAdded(added)
    },
    onSettled: () => queries.invalidateQueries(endpointsQuery),
  })
}

/** Returns the actions of an endpoint. */
export function useEndpointActions({ id, url }: Pick<WebhookEndpoint, 'id' | 'url'>) {
  const queries = useQueryClient()
  const newSecrets = useNewSecrets()
  const onError = (error: unknown): void => toastError(error)
  const onSettled = () => queries.invalidateQueries(endpointsQuery)
  const change = useMutation({
    mutationFn: (body: WebhookPatch) => call(webhookRoutes.update, { params: { id }, body }),
    onError,
    onSuccess: ({ is_active }) => toastWithoutUndo(is_active ? 'Webhook turned on' : 'Webhook turned off'),
    onSettled,
  })
  const replaceSecret = useMutation({
    mutationFn: () => call(webhookRoutes.replaceSecret, { params: { id } }),
    onError,
    onSuccess: ({ secret }) => {
      storeWithoutUndo('Webhook secret replaced')
      newSecrets.add({ id, url, secret })
    },
    onSettled,
  })
  const test = useMutation({
    mutationFn: () => call(webhookRoutes.test, { params: { id } }),
    onError,
    onSuccess: () => toastWithoutUndo('Test queued', 'Its result appears in the log below.'),
    onSettled,
  })
  const replay = useMutation({
    mutationFn: (deliveryId: string) => call(webhookRoutes.replay, { params: { id, delivery: deliveryId } }),
    onError,
    onSuccess: ({ event }) => toastWithoutUndo('Queued again', event),
    onSettled,
  })
  const replayFailed = useMutation({
    mutationFn: () => call(webhookRoutes.replayFailed, { params: { id } }),
    onError,
    onSuccess: ({ count }) => toastWithoutUndo(`${count} ${count === 1 ? 'delivery' : 'deliveries'} queued again`),
    onSettled,
  })
  const remove = useMutation({
    mutationFn: () => call(webhookRoutes.delete, { params: { id } }),
    onError,
    onSuccess: () => {
      newSecrets.forget(id)
      toastWithoutUndo('Webhook deleted')
    },
    onSettled: () => void onSettled(), // is not awaited, so that the page of the endpoint is left at once
  })
  return { change, replaceSecret, test, replay, replayFailed, remove }
}
