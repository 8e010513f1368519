import type { FileRow } from '#contract/files.ts'
import type { FolderRow } from '#contract/folders.ts'

/** A folder or a file in a list. */
export type Entry = FolderEntry | FileEntry
export type FolderEntry = { kind: 'folder'; id: string; name: string; folder: FolderRow }
export type FileEntry = { kind: 'file'; id: string; name: string; file: FileRow }

export const toFolderEntry = (folder: FolderRow): FolderEntry => ({ kind: 'folder', id: folder.id, name: folder.name, folder })
export const toFileEntry = (file: FileRow): FileEntry => ({ kind: 'file', id: file.id, name: file.file_name, file })

/** Returns the ids of the folders and of the files among the entries. */
export const splitByKind = (entries: readonly Entry[]): { folderIds: string[]; fileIds: string[] } => ({
  folderIds: entries.filter(({ kind }) => kind === 'folder').map(({ id }) => id),
  fileIds: entries.filter(({ kind }) => kind === 'file').map(({ id }) => id),
})

/** The address of the page of a folder or a file. */
export const getEntryAddress = ({ kind, id }: Pick<Entry, 'kind' | 'id'>): string => `/files/${kind}/${id}`

/** Returns the id of the folder that contains the entry; null for the root folder, undefined for an attachment of a contact. */
export function getParentId(entry: Entry): string | null | undefined {
  if (entry.kind === 'folder') return entry.folder.parent_folder_id
  return entry.file.contact_id === null ? entry.file.folder_id : undefined
}
