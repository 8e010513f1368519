import { fileFilters, fileRoutes } from '#contract/files.ts'
import { recordKinds } from '#contract/kinds.ts'

/** How lists of files are loaded and sorted. */
export const fileKind = {
  ...recordKinds.file,
  routes: fileRoutes,
  /** The list shows the folder of each file that a search finds. */
  relatedTables: [recordKinds.folder.table],
  titleColumn: 'file_name',
  fields: { file_name: { label: 'Name' }, file_size: { label: 'Size' } },
  filters: fileFilters,
  defaultSort: { sort: 'newest', order: 'asc' },
  sorts: [{ name: 'file_name' }, { name: 'file_size', ascending: 'smallest first', descending: 'largest first' }],
} as const
