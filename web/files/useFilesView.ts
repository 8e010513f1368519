import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Condition } from '#contract/lists.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useListSettings } from '#web/records/address/listSettings.ts'
import { useRecordList } from '#web/records/list/useRecordList.ts'
import { toFolderEntry } from './kind/entries.ts'
import { fileKind } from './kind/fileKind.ts'
import { foldersQuery, foundFoldersQuery, inFolder } from './kind/queries.ts'
import type { SearchScope } from './FilesTools.tsx'

/** The files of a folder, or the newest files of all folders. The id of the root folder is null. */
export type FilesPlace = { view: 'folder'; folderId: string | null } | { view: 'recent' }

/** Loads the folders and the files of a place, or the files that a search finds, as the URL says. */
export function useFilesView(place: FilesPlace) {
  const { settings, changeSettings } = useListSettings(fileKind)
  const scopeInUrl = useRouterState({ select: ({ location }) => ('in' in location.search ? location.search.in : undefined) })
  const navigate = useNavigate()
  const isSearch = settings.search !== ''
  const folderId = place.view === 'folder' ? place.folderId : undefined
  const scope: SearchScope = scopeInUrl === 'folder' && typeof folderId === 'string' ? 'folder' : 'all'
  const { columns: _columns, ...userQuery } = settings
  const query = { ...userQuery, filter: getConditions(folderId, isSearch && scope === 'all') }
  const list = useRecordList(fileKind, place.view === 'recent' && !isSearch ? { ...query, sort: 'newest', order: 'asc' } : query)
  /** The id of the folder whose folders are shown; undefined for a search and for recent files. */
  const shownFolderId = isSearch ? undefined : folderId
  const folderPages = useInfiniteQuery({ ...foldersQuery(shownFolderId ?? null), enabled: shownFolderId !== undefined })
  const folders = useMemo(
    () => (shownFolderId === undefined ? [] : (folderPages.data?.pages.flatMap(({ rows }) => rows.map(toFolderEntry)) ?? [])),
    [shownFolderId, folderPages.data],
  )
  const isFolderSearch = isSearch && scope === 'all'
  const found = useQuery({ ...foundFoldersQuery(settings.search), enabled: isFolderSearch })
  const foundFolders = (isFolderSearch && found.data) || []
  const hasFolders = shownFolderId !== undefined
  const areFoldersComplete = isFolderSearch ? !found.isPending : !hasFolders || (folderPages.isSuccess && !folderPages.hasNextPage)
  const folderCount = folders.length + foundFolders.length
  return {
    settings,
    changeSettings,
    query,
    list,
    isSearch,
    scope,
    changeScope: (value: SearchScope): void =>
      void navigate({
        to: '.',
        search: (parameters: Record<string, unknown>) => ({ ...parameters, in: value === 'folder' ? value : undefined }),
        replace: true,
      }),
    folders: {
      entries: folders,
      isShown: hasFolders,
      isPending: hasFolders && folderPages.isPending,
      error: hasFolders && !folderPages.data ? folderPages.error : null,
      isRetrying: folderPages.isFetching,
      retry: () => void folderPages.refetch(),
      hasMore: hasFolders && folderPages.hasNextPage,
      loadMore: () => void folderPages.fetchNextPage(),
    },
    /** The folders that a search of all files finds. */
    foundFolders,
    isEmpty: list.isEmpty && folderCount === 0 && areFoldersComplete,
    /** The number of folders and files as text; null while it is unknown. */
    count: areFoldersComplete && list.total !== undefined ? formatNumber(list.total + folderCount) : list.count,
  }
}

export type FilesView = ReturnType<typeof useFilesView>

const getConditions = (folderId: string | null | undefined, isSearchInAll: boolean): Condition[] =>
  folderId === undefined || isSearchInAll ? [] : inFolder(folderId)
