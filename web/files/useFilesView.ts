import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Condition } from '#contract/lists.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useListSettings } from '#web/records/address/listSettings.ts'
import { useRecordList } from '#web/records/list/useRecordList.ts'
import { toFolderEntry } from './kind/entries.ts'
import { fileKind } from './kind/fileKind.ts'
import { belowFolder, foldersQuery, inFolder } from './kind/queries.ts'
import type { SearchScope } from './FilesTools.tsx'

/** The files of a folder, or the newest files of all folders. The id of the root folder is null. */
export type FilesPlace = { view: 'folder'; folderId: string | null } | { view: 'recent' }

/** Loads the folders and the files of a place. If the URL contains a search, loads what the search finds instead. */
export function useFilesView(place: FilesPlace) {
  const { settings, changeSettings } = useListSettings(fileKind)
  /** The parameter `in` of the URL: "folder" limits a search to the folder and those below it. */
  const scopeInUrl = useRouterState({ select: ({ location }) => ('in' in location.search ? location.search.in : undefined) })
  const navigate = useNavigate()
  const isSearch = settings.search !== ''
  const folderId = place.view === 'folder' ? place.folderId : undefined
  const scope: SearchScope = scopeInUrl === 'folder' && typeof folderId === 'string' ? 'folder' : 'all'
  const { columns: _columns, ...userQuery } = settings // the columns do not belong to the query
  /** The id of the folder that a search is limited to; undefined for a search of the whole drive. */
  const searchedFolderId = scope === 'folder' && typeof folderId === 'string' ? folderId : undefined
  const isOrderFixed = place.view === 'recent' && !isSearch
  const query = {
    ...userQuery,
    ...(isOrderFixed && fileKind.defaultSort), // also if the URL has another sort
    filter: getConditions(folderId, { isSearch, searchedFolderId }),
  }
  const list = useRecordList(fileKind, query)
  const showsFolders = isSearch || folderId !== undefined
  const folderRequest = isSearch ? { search: settings.search, belowId: searchedFolderId } : { parentId: folderId ?? null }
  const folderPages = useInfiniteQuery({ ...foldersQuery(folderRequest), enabled: showsFolders, placeholderData: keepPreviousData })
  const folders = useMemo(
    () => (showsFolders ? (folderPages.data?.pages.flatMap(({ rows }) => rows.map(toFolderEntry)) ?? []) : []),
    [showsFolders, folderPages.data],
  )
  const areFoldersComplete = !showsFolders || (folderPages.isSuccess && !folderPages.isPlaceholderData && !folderPages.hasNextPage)
  const areFoldersSettled = areFoldersComplete || folderPages.isError
  return {
    settings,
    changeSettings,
    query,
    list,
    /** True for recent files without a search: the newest file is always first. */
    isOrderFixed,
    isSearch,
    scope,
    changeScope: (value: SearchScope): void =>
      void navigate({
        to: '.',
        search: (parameters: Record<string, unknown>) => ({ ...parameters, in: value === 'folder' ? value : undefined }),
        replace: true,
      }),
    /** The search texts and filters with which a command can apply to everything in the list, also to what is not loaded. */
    matching: {
      files: { search: settings.search, filter: query.filter },
      ...(showsFolders && { folders: { search: settings.search, filter: getFolderConditions(folderId, { isSearch, searchedFolderId }) } }),
    },
    /** The id of the folder that the search is limited to. */
    searchedFolderId,
    /** True when the list shows the folder of each file, because the files are in several folders. */
    isFolderColumnShown: isSearch || folderId === undefined,
    folders: {
      entries: folders,
      isShown: showsFolders,
      isPending: showsFolders && folderPages.isPending,
      error: showsFolders && !folderPages.data ? folderPages.error : null,
      isFetching: folderPages.isFetching,
      retry: () => void folderPages.refetch(),
      hasMore: showsFolders && folderPages.hasNextPage,
      loadMore: () => void folderPages.fetchNextPage(),
    },
    /** True when the place has no files and no folders, also if the folders could not be loaded. */
    isEmpty: list.isEmpty && folders.length === 0 && areFoldersSettled,
    /** The number of folders and files as text, such as "10,000+"; null while it is unknown. */
    count: areFoldersComplete ? (list.total === undefined ? list.count : formatNumber(list.total + folders.length)) : null,
  }
}

export type FilesView = ReturnType<typeof useFilesView>

type Search = { isSearch: boolean; searchedFolderId: string | undefined }

/** Returns the filter that finds the files in a folder, or the files that a search reads. */
function getConditions(folderId: string | null | undefined, { isSearch, searchedFolderId }: Search): Condition[] {
  if (isSearch) return searchedFolderId === undefined ? [] : belowFolder(searchedFolderId)
  return folderId === undefined ? [] : inFolder(folderId)
}

/** Returns the filter that finds the folders in a folder, or the folders that a search reads. */
function getFolderConditions(folderId: string | null | undefined, { isSearch, searchedFolderId }: Search): Condition[] {
  if (isSearch) return searchedFolderId === undefined ? [] : belowFolder(searchedFolderId)
  return folderId === null || folderId === undefined
    ? [{ field: 'parent_folder_id', empty: true }]
    : [{ field: 'parent_folder_id', is: [folderId] }]
}
