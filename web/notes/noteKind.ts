import * as z from 'zod/mini'
import { noteRoutes, type Note } from '#contract/notes.ts'
import { callForChange } from '#web/lib/client.ts'
import { newId } from '#web/lib/ids.ts'
import { announceSaved, type RecordForm } from '#web/records/form/recordForm.ts'
import { notesTable } from './queries.ts'

const Values = z.object({ content: z.string() })

/** The form of a note on a contact. */
export const noteForm = (contactId: string): RecordForm<Note> => ({
  draftName: `note on ${contactId}`,
  labels: { content: 'Note' },
  values: Values,
  accepts: noteRoutes.update.body,
  valuesOf: (note) => ({ content: note?.content ?? '' }),
  save: async (note, changes, version) => {
    const { content } = Values.parse(changes)
    const { answer, change } = note
      ? await callForChange(noteRoutes.update, { params: { id: note.id }, body: { content, version } })
      : await callForChange(noteRoutes.create, { body: { id: newId(), contact_id: contactId, content } })
    await announceSaved(answer, { singular: 'note', table: notesTable, how: note ? 'updated' : 'created', change })
    return answer
  },
})
