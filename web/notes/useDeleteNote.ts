import { useMutation, useQueryClient } from '@tanstack/react-query'
import { noteRoutes } from '#contract/notes.ts'
import { callForChange } from '#web/lib/client.ts'
import { refreshTables } from '#web/lib/queries.ts'
import { toastError } from '#web/lib/toasts.ts'
import { toastChange } from '#web/lib/undo.ts'
import { notesQuery, notesTable, type NotePages } from './queries.ts'

const title = 'Note deleted'

/** Deletes a note on a contact. The note is hidden at once; after a failure it is shown again, with a toast. */
export function useDeleteNote(contactId: string) {
  const queries = useQueryClient()
  const { queryKey } = notesQuery(contactId)
  return useMutation({
    mutationFn: (id: string) => callForChange(noteRoutes.delete, { params: { id } }),
    onMutate: async (id) => {
      await queries.cancelQueries({ queryKey })
      const previousPages = queries.getQueryData(queryKey)
      queries.setQueryData(queryKey, (notes) => notes && removeNote(notes, id))
      return previousPages
    },
    onError: (error, _id, previousPages) => {
      queries.setQueryData(queryKey, previousPages)
      toastError(error)
    },
    onSuccess: ({ changeId }) => {
      toastChange(title, changeId)
    },
    onSettled: () => refreshTables([notesTable]),
  })
}

const removeNote = (notes: NotePages, id: string): NotePages => ({
  ...notes,
  pages: notes.pages.map((page) => ({ ...page, count: page.count - 1, rows: page.rows.filter((note) => note.id !== id) })),
})
