import { fileFilters, fileRoutes } from '#contract/files.ts'
import { recordKinds } from '#contract/kinds.ts'

/** The table whose events say that the text of a file was read. */
export const fileTextsTable = 'object_texts'

/** The record kind of files, with how its lists are loaded, filtered and sorted. */
export const fileKind = {
  ...recordKinds.file,
  routes: fileRoutes,
  /** A change of these tables reloads the lists, because they also show the folder, the text and the thumbnail of a file. */
  relatedTables: [recordKinds.folder.table, fileTextsTable],
  titleColumn: 'file_name',
  fields: { file_name: { label: 'Name' }, file_size: { label: 'Size' } },
  filters: fileFilters,
  /** The server ignores the order of this sort: the newest file is always first. */
  defaultSort: { sort: 'newest', order: 'asc' },
  sorts: [{ name: 'file_name' }, { name: 'file_size', ascending: 'smallest first', descending: 'largest first' }],
} as const
