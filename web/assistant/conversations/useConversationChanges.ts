import { useMutation } from '@tanstack/react-query'
import { conversationRoutes, type ConversationRow } from '#contract/assistant.ts'
import { recordKinds } from '#contract/kinds.ts'
import { callForChange, trackWrite } from '#web/lib/client.ts'
import { queries, refreshTables } from '#web/lib/queries.ts'
import { toastError } from '#web/lib/toasts.ts'
import { storeForUndo, toastChange } from '#web/lib/undo.ts'
import { conversationsKey, type ConversationPages } from './queries.ts'

const { table } = recordKinds.conversation

/** Renames a conversation. The new title is shown at once. */
export function useRename() {
  return useMutation({
    mutationFn: ({ row, title }: { row: ConversationRow; title: string }) =>
      trackWrite(callForChange(conversationRoutes.update, { params: { id: row.id }, body: { title, version: row.version } })),
    onMutate: ({ row, title }) => changeRows((each) => (each.id === row.id ? { ...each, title } : each)),
    onError: (error, _input, restore) => {
      restore?.()
      toastError(error)
    },
    onSuccess: ({ changeId }) => storeForUndo(changeId, 'Conversation renamed'),
    onSettled: () => refreshTables([table]),
  })
}

/** Deletes a conversation, which disappears at once. A toast offers Undo. */
export function useDelete() {
  return useMutation({
    mutationFn: ({ id }: ConversationRow) => trackWrite(callForChange(conversationRoutes.delete, { params: { id } })),
    onMutate: ({ id }) => changeRows((each) => (each.id === id ? undefined : each)),
    onError: (error, _row, restore) => {
      restore?.()
      toastError(error)
    },
    onSuccess: ({ changeId }, { title }) => toastChange('Conversation deleted', changeId, title),
    onSettled: () => refreshTables([table]),
  })
}

/** Changes the loaded rows; undefined removes a row. Returns a function that restores them. */
function changeRows(change: (row: ConversationRow) => ConversationRow | undefined): () => void {
  const previous = queries.getQueriesData<ConversationPages>({ queryKey: conversationsKey })
  queries.setQueriesData<ConversationPages>(
    { queryKey: conversationsKey },
    (data) => data && { ...data, pages: data.pages.map((page) => ({ ...page, rows: page.rows.flatMap((row) => change(row) ?? []) })) },
  )
  return () => {
    for (const [key, data] of previous) queries.setQueryData(key, data)
  }
}
