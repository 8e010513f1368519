import { recordKinds } from '#contract/kinds.ts'
import { Note } from '#contract/notes.ts'
import { defineKind, linkedTitle, type Link } from '#server/platform/records/kind.ts'

const contact: Link = { field: 'contact_id', to: recordKinds.contact }

export const notes = defineKind({
  ...recordKinds.note,
  Full: Note,
  Row: Note,
  exported: [],
  empty: { content: '' },
  titleOf: ({ content }) => String(content).slice(0, 100),
  searchResult: { title: `translate(left(c.content, 100), E'\\n\\r\\t', '   ')`, detail: linkedTitle(contact), on: contact },
  sorts: {},
  filters: { contact_id: 'link' },
  links: { notes_contact: contact },
})
