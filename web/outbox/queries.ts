import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { outboxRoutes, type OutboxMail } from '#contract/outbox.ts'
import { call } from '#web/lib/client.ts'
import { toastError } from '#web/lib/toasts.ts'
import { toastWithoutUndo } from '#web/lib/withoutUndo.ts'

const queryKey = ['outbox_mails']

/** The query of the mails in a state, or of all mails, newest first, in pages. */
export const mailsQuery = (state: OutboxMail['state'] | undefined) =>
  infiniteQueryOptions({
    queryKey: [...queryKey, state],
    meta: { tables: queryKey },
    initialPageParam: '',
    queryFn: ({ signal, pageParam }) => call(outboxRoutes.list, { query: { state, before: pageParam || undefined } }, { signal }),
    getNextPageParam: ({ rows, more }) => (more ? rows.at(-1)?.id : undefined),
  })

export function useMailActions() {
  const queries = useQueryClient()
  const onError = (error: unknown): void => toastError(error)
  const onSettled = () => queries.invalidateQueries({ queryKey })
  const send = useMutation({
    mutationFn: (id: string) => call(outboxRoutes.send, { params: { id } }),
    onError,
    onSuccess: () => toastWithoutUndo('Sending again'),
    onSettled,
  })
  const giveUp = useMutation({
    mutationFn: (id: string) => call(outboxRoutes.giveUp, { params: { id } }),
    onError,
    onSuccess: () => toastWithoutUndo('Mail given up', 'You can send it again.'),
    onSettled,
  })
  return { send, giveUp }
}
