import { useMutation, useQueryClient } from '@tanstack/react-query'
import { noteRoutes } from '#contract/notes.ts'
import { callForChange } from '#web/lib/client.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { toastError } from '#web/lib/toasts.ts'
import { toastChange } from '#web/lib/undo.ts'
import { notesQuery, notesTable, type NotePages } from './queries.ts'

const title = 'Note deleted'

/** Deletes a note of a contact. It is hidden at once; a failure restores it and shows a toast. */
export function useDeleteNote(contactId: string) {
  const queries = useQueryClient()
  const { queryKey } = notesQuery(contactId)
  return useMutation({
    mutationFn: (id: string) => callForChange(noteRoutes.delete, { params: { id } }),
    onMutate: async (id) => {
      await queries.cancelQueries({ queryKey })
      const before = queries.getQueryData(queryKey)
      queries.setQueryData(queryKey, (notes) => notes && removeNote(notes, id))
      return before
    },
    onError: (error, _id, before) => {
      queries.setQueryData(queryKey, before)
      toastError(error)
    },
    onSuccess: ({ change }) => {
      toastChange(title, change)
    },
    onSettled: () => refreshTables([notesTable]),
  })
}

const removeNote = (notes: NotePages, id: string): NotePages => ({
  ...notes,
  pages: notes.pages.map((page) => ({ ...page, count: page.count - 1, rows: page.rows.filter((note) => note.id !== id) })),
})
