// The record kinds of folders and files. The types in server/platform/records/kind.ts explain the options.
import { readFileType } from '#contract/fileNames.ts'
import { File, fileColumns, fileFilters } from '#contract/files.ts'
import { Folder, folderFilters, foldersTooDeep, maxCountedFiles } from '#contract/folders.ts'
import { recordKinds } from '#contract/kinds.ts'
import { sql } from '#server/platform/database/database.ts'
import { findFreeFileName, findFreeFolderName } from './free-names.ts'
import { resolveBelow } from './folders/folder-tree.ts'
import { readPassages } from './text/passages.ts'
import { createTextSort, createTitleSql, defineKind, type Link } from '#server/platform/records/kind.ts'

// In the SQL below, `c` is the row of the record.
const parent: Link = { field: 'parent_folder_id', to: recordKinds.folder }
const folder: Link = { field: 'folder_id', to: recordKinds.folder }
const contact: Link = { field: 'contact_id', to: recordKinds.contact }

const equalNameError = { field: 'name', message: 'There is a folder with this name already', code: 'duplicate' } as const

/** The sentence for a folder that would be in itself. */
export const folderInItself = 'A folder cannot be moved into itself or a folder in it'

const filesOfFolderSql = 'select from files f where f.user_id = c.user_id and f.folder_id = c.id'
const fileCountSql = `(select count(*) from (${filesOfFolderSql} limit ${maxCountedFiles}) counted)`
const isEmptySql = `not exists (${filesOfFolderSql})
  and not exists (select from folders inner_folder where inner_folder.user_id = c.user_id and inner_folder.parent_folder_id = c.id)`

export const folders = defineKind({
  ...recordKinds.folder,
  FullRecord: Folder,
  Row: Folder,
  exportColumnNames: [],
  computedColumns: { file_count: fileCountSql, is_empty: isEmptySql },
  emptyRecord: { name: '', parent_folder_id: null },
  titleOf: ({ name }) => String(name),
  searchResult: { sortColumn: 'name', title: 'c.name', detail: createTitleSql(parent) },
  sorts: { name: createTextSort('name') },
  filters: folderFilters,
  resolveFilter: resolveBelow('parent_folder_id'),
  linksByConstraint: { folders_parent: parent },
  checkNew: (columns) => sql('select app.refuse_folder_name(null, $1)', [JSON.stringify(columns)]),
  fieldsAfterRestore: async (owner, id) => {
    const name = await findFreeFolderName(owner, id)
    return name === undefined ? undefined : { name }
  },
  check: (ids, fields) => sql('select app.refuse_folder_names($1, $2)', [ids, JSON.stringify(fields)]),
  constraints: {
    folders_equal_name: equalNameError,
    folders_cycle: { field: 'parent_folder_id', message: folderInItself },
    folders_depth: { field: 'parent_folder_id', message: foldersTooDeep },
  },
})

/** A search finds at most this many texts, the newest ones. The number is limited, because each found text costs a lookup of its files. */
const maxTexts = 20_000
/** The maximum number of texts that a search reads from the index, in the order of the index, to find the newest of them. */
const maxUnsortedTexts = 200_000

/** Returns SQL for the ids of the stored objects whose text has all searched words. `search` is SQL. */
const findTextsSql = (search: string): string =>
  `select id from (select id from own_object_texts where words @@ app.text_query(${search}) limit ${maxUnsortedTexts}) found
   order by id desc limit ${maxTexts}`

const textSql = (column: string): string => `(select t.${column} from object_texts t where t.user_id = c.user_id and t.id = c.object_id)`

export const files = defineKind({
  ...recordKinds.file,
  FullRecord: File,
  Row: File,
  exportColumnNames: fileColumns,
  emptyRecord: { file_name: '', folder_id: null, contact_id: null },
  emptyDerived: { file_type: 'unknown' },
  titleOf: ({ file_name }) => String(file_name),
  searchResult: {
    sortColumn: 'file_name',
    title: 'c.file_name',
    detail: `case when c.contact_id is null then ${createTitleSql(folder)} else ${createTitleSql(contact)} end`,
  },
  fullText: { column: 'object_id', find: findTextsSql, readPassages },
  computedColumns: {
    text_state: `coalesce(${textSql('state')}, 'waiting')`,
    text_reason: `nullif(${textSql('reason')}, '')`,
    has_thumbnail: 'exists (select from object_thumbnails t where t.user_id = c.user_id and t.id = c.object_id)',
  },
  sorts: {
    file_name: createTextSort('file_name'),
    file_size: { column: 'file_size', type: 'bigint', emptyCondition: 'is null' },
  },
  filters: fileFilters,
  resolveFilter: resolveBelow('folder_id'),
  linksByConstraint: { files_folder: folder, files_contact: contact },
  timelineFields: ['file_name'],
  fieldsAfterRestore: async (owner, id) => {
    const name = await findFreeFileName(owner, id)
    return name === undefined ? undefined : { file_name: name }
  },
  derive: async (_owner, writes) =>
    writes.map(({ file_name }) => (typeof file_name === 'string' ? { file_type: readFileType(file_name) } : {})),
  constraints: { files_place: { field: 'folder_id', message: 'An attachment of a contact has no folder' } },
})
