import { infiniteQueryOptions, keepPreviousData, queryOptions, useQueryClient, type InfiniteData } from '@tanstack/react-query'
import { fileSelectionRoutes, type Matching } from '#contract/fileSelection.ts'
import { folderRoutes, type Folder } from '#contract/folders.ts'
import { recordKinds } from '#contract/kinds.ts'
import type { Condition } from '#contract/lists.ts'
import { searchRoutes } from '#contract/search.ts'
import { storageRoutes } from '#contract/storage.ts'
import { call } from '#web/lib/client.ts'
import { recordKeys } from '#web/records/kind/queries.ts'

const foldersTable = recordKinds.folder.table
const filesTable = recordKinds.file.table

/** The path of a folder: the folders from the root folder down to this folder, which is the last. */
export const folderPathQuery = (id: string) =>
  queryOptions({
    queryKey: [foldersTable, 'path', id],
    meta: { tables: [foldersTable] },
    queryFn: ({ signal }) => call(folderRoutes.path, { params: { id } }, { signal }),
  })

/** The folders in a folder, or the folders whose names match a search: of the whole drive, or at any depth below a folder. */
export type FolderList = { parentId: string | null } | { search: string; belowId: string | undefined }

/** A list of folders, sorted by name. The id of the root folder is null. */
export const foldersQuery = (list: FolderList) =>
  infiniteQueryOptions({
    queryKey: [...recordKeys(foldersTable).pages, list],
    // folders show the number of their files
    meta: { tables: [foldersTable, filesTable] },
    queryFn: ({ pageParam, signal }) => call(folderRoutes.list, { query: { ...toFolderQuery(list), after: pageParam } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  })

function toFolderQuery(list: FolderList): { parent_folder_id?: string; search?: string; below_folder_id?: string } {
  if ('parentId' in list) return list.parentId === null ? {} : { parent_folder_id: list.parentId }
  return { search: list.search, ...(list.belowId !== undefined && { below_folder_id: list.belowId }) }
}

const maxFoundFolders = 50

/** The folders whose name matches the text, the best match first. */
export const foundFoldersQuery = (search: string) =>
  queryOptions({
    queryKey: [foldersTable, 'found', search],
    meta: { tables: [foldersTable] },
    queryFn: async ({ signal }) => {
      const { hits } = await call(searchRoutes.search, { query: { search, kind: 'folder', limit: maxFoundFolders } }, { signal })
      return hits
    },
    placeholderData: keepPreviousData,
  })

/** The exact numbers of the files and folders that match. */
export const selectionCountQuery = (matching: Matching) =>
  queryOptions({
    queryKey: [filesTable, 'selection', matching],
    meta: { tables: [foldersTable, filesTable] },
    queryFn: ({ signal }) => call(fileSelectionRoutes.count, { body: { matching } }, { signal }),
  })

/** The space that the files use, and the quota. */
export const storageQuery = queryOptions({
  queryKey: [filesTable, 'storage'],
  meta: { tables: [filesTable] },
  queryFn: ({ signal }) => call(storageRoutes.get, {}, { signal }),
})

/** The filter that finds the files in a folder. `folderId` is null for the root folder; attachments of contacts are in no folder. */
export const inFolder = (folderId: string | null): Condition[] =>
  folderId === null
    ? [
        { field: 'folder_id', empty: true },
        { field: 'contact_id', empty: true },
      ]
    : [{ field: 'folder_id', is: [folderId] }]

/** The filter that finds the files in a folder and in all folders below it. */
export const belowFolder = (folderId: string): Condition[] => [{ field: 'below_folder_id', is: [folderId] }]

/** Returns the name of a folder from a loaded list of folders; undefined when no list contains the folder. */
export function useKnownFolderName(id: string): string | undefined {
  const lists = useQueryClient().getQueriesData<InfiniteData<{ rows: Folder[] }>>({ queryKey: recordKeys(foldersTable).pages })
  const folders = lists.flatMap(([_queryKey, list]) => list?.pages.flatMap(({ rows }) => rows) ?? [])
  return folders.find((folder) => folder.id === id)?.name
}
