import type { RecordKind } from '#server/platform/records/kind.ts'

/** How the database has notes. */
export const notes: RecordKind = {
  one: 'note',
  many: 'notes',
  table: 'notes',
  find: 'notes_find',
  writable: ['content'],
  empty: {},
  columns: 'id, contact_id, content, created_at, updated_at, version',
  rowColumns: 'c.id, c.contact_id, c.content, c.created_at, c.updated_at, c.version',
  exportColumns: {},
  sorts: {},
  filters: { contact_id: 'link' },
  links: { notes_contact: { field: 'contact_id', to: 'contact' } },
}
