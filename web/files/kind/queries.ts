import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { folderRoutes } from '#contract/folders.ts'
import { recordKinds } from '#contract/kinds.ts'
import type { Condition } from '#contract/lists.ts'
import { call } from '#web/lib/client.ts'

const foldersTable = recordKinds.folder.table
const filesTable = recordKinds.file.table

/** The folders from the root folder to the folder, which is the last. */
export const folderPathQuery = (id: string) =>
  queryOptions({
    queryKey: [foldersTable, 'path', id],
    meta: { tables: [foldersTable] },
    queryFn: ({ signal }) => call(folderRoutes.path, { params: { id } }, { signal }),
  })

/** The folders in a folder, by name. `parentId` is null for the root folder. */
export const foldersQuery = (parentId: string | null) =>
  infiniteQueryOptions({
    queryKey: [foldersTable, 'in', parentId],
    // folders show the number of their files
    meta: { tables: [foldersTable, filesTable] },
    queryFn: ({ pageParam, signal }) =>
      call(folderRoutes.list, { query: { ...(parentId !== null && { parent_folder_id: parentId }), after: pageParam } }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  })

/** The conditions of the files in a folder. `folderId` is null for the root folder; attachments of contacts are in no folder. */
export const inFolder = (folderId: string | null): Condition[] =>
  folderId === null
    ? [
        { field: 'folder_id', empty: true },
        { field: 'contact_id', empty: true },
      ]
    : [{ field: 'folder_id', is: [folderId] }]
