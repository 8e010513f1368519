import type { KeyboardEvent } from 'react'
import * as z from 'zod/mini'
import { noteRoutes, type Note } from '#contract/notes.ts'
import { callForChange } from '#web/lib/client.ts'
import { newId } from '#web/lib/ids.ts'
import { announceSaved, type RecordForm } from '#web/records/form/recordForm.ts'
import { notesTable } from './queries.ts'

const NoteValues = z.object({ content: z.string() })

/** Returns the form of a note on a contact: its field, and the request that saves it. */
export const noteForm = (contactId: string): RecordForm<Note> => ({
  draftName: `note on ${contactId}`,
  labels: { content: 'Note' },
  valuesSchema: NoteValues,
  inputSchema: noteRoutes.update.body,
  toValues: (note) => ({ content: note?.content ?? '' }),
  save: async (note, changes, version) => {
    const { content } = NoteValues.parse(changes)
    const { response, changeId } = note
      ? await callForChange(noteRoutes.update, { params: { id: note.id }, body: { content, version } })
      : await callForChange(noteRoutes.create, { body: { id: newId(), contact_id: contactId, content } })
    await announceSaved(response, { singular: 'note', table: notesTable, outcome: note ? 'updated' : 'created', changeId })
    return response
  },
})

/** Returns a key handler that calls `action` on Ctrl/Cmd+Enter. In a text area, Enter alone adds a line. */
export const handleModEnter =
  (action: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    action()
  }
