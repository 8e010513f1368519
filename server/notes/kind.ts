// The record kind of notes. The types in server/platform/records/kind.ts explain the options.
import { recordKinds } from '#contract/kinds.ts'
import { Note } from '#contract/notes.ts'
import { defineKind, createTitleSql, type Link } from '#server/platform/records/kind.ts'

/** A note has no page of its own: search results open the page of its contact. */
const contact: Link = { field: 'contact_id', to: recordKinds.contact }

export const notes = defineKind({
  ...recordKinds.note,
  FullRecord: Note,
  Row: Note,
  exportColumnNames: [],
  emptyRecord: { content: '' },
  titleOf: ({ content }) => String(content).slice(0, 100),
  searchResult: { title: `translate(left(c.content, 100), E'\\n\\r\\t', '   ')`, detail: createTitleSql(contact), shownOn: contact },
  sorts: {},
  filters: { contact_id: 'link' },
  linksByConstraint: { notes_contact: contact },
})
