import type { KeyboardEvent } from 'react'
import * as z from 'zod/mini'
import { noteRoutes, type Note } from '#contract/notes.ts'
import { call, callForChange } from '#web/lib/client.ts'
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
  parse: (changes) => z.partial(NoteValues).parse(changes),
  save: async ({ record, id, fields, version, idempotencyKey }) => {
    const { content } = NoteValues.parse(fields)
    const { response, changeId } = record
      ? await callForChange(noteRoutes.update, { params: { id }, body: { content, version } }, { idempotencyKey })
      : await callForChange(noteRoutes.create, { body: { id, contact_id: contactId, content } }, { idempotencyKey })
    await announceSaved(response, { singular: 'note', table: notesTable, outcome: record ? 'updated' : 'created', changeId })
    return response
  },
  loadAdded: async (id) => {
    const note = await call(noteRoutes.get, { params: { id } })
    await announceSaved(note, { singular: 'note', table: notesTable, outcome: 'created', changeId: undefined })
    return note
  },
})

/** Returns a key handler that calls `action` on Ctrl/Cmd+Enter. In a text area, Enter alone adds a line. */
export const runOnCtrlEnter =
  (action: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    action()
  }
