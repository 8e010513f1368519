import { recordKinds } from '#contract/kinds.ts'
import { Note } from '#contract/notes.ts'
import { contactName } from '#server/contacts/contacts.ts'
import { defineKind } from '#server/platform/records/kind.ts'

/** How the database has notes. */
export const notes = defineKind({
  ...recordKinds.note,
  Kept: Note,
  Row: Note,
  exported: [],
  empty: {},
  alsoWritten: ['content'],
  nameOf: ({ content }) => String(content).slice(0, 100),
  found: { title: `translate(left(c.content, 100), E'\\n\\r\\t', '   ')`, detail: contactName, contact_id: 'c.contact_id' },
  sorts: {},
  filters: { contact_id: 'link' },
  links: { notes_contact: { field: 'contact_id', to: 'contact' } },
})
