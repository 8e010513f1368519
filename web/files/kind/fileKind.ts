import { fileFilters, fileRoutes } from '#contract/files.ts'
import { recordKinds } from '#contract/kinds.ts'

/** The table whose events say that the text of a file was read. */
export const fileTextsTable = 'object_texts'

/** How lists of files are loaded and sorted. */
export const fileKind = {
  ...recordKinds.file,
  routes: fileRoutes,
  /** The list shows the folder of each file that a search finds, and the texts and small pictures that the server has read. */
  relatedTables: [recordKinds.folder.table, fileTextsTable],
  titleColumn: 'file_name',
  fields: { file_name: { label: 'Name' }, file_size: { label: 'Size' } },
  filters: fileFilters,
  defaultSort: { sort: 'newest', order: 'asc' },
  sorts: [{ name: 'file_name' }, { name: 'file_size', ascending: 'smallest first', descending: 'largest first' }],
} as const
