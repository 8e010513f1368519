import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { File, FileRow } from '#contract/files.ts'
import { createStore } from '#web/lib/store.ts'
import type { ListQuery } from '#web/records/address/listSettings.ts'
import { recordQuery } from '#web/records/kind/queries.ts'
import { usePagedList } from '#web/records/list/useRecordList.ts'
import { fileKind } from '../kind/fileKind.ts'
import { inFolder } from '../kind/queries.ts'
import { getContentAddress } from './fileContent.ts'
import { previewLink } from './previewLink.ts'
import { findPreviewType } from './previewType.ts'

/**
 * The list from which the previewed file was opened; undefined for a file that was opened by its address. The neighbours of a file are next
 * to it in this list.
 */
const openedList = createStore<ListQuery | undefined>(undefined)

/**
 * Returns a function that opens the preview of a file of a list. The preview then opens the neighbours of the file in this list. If a
 * search found the file by its text, the preview marks the words of the search.
 */
export function useOpenPreview(): (file: FileRow, list: ListQuery) => void {
  const navigate = useNavigate()
  return ({ id, passage }, list) => {
    openedList.set(list)
    void navigate(previewLink(id, passage && list.search))
  }
}

/** The pictures of neighbours that are larger than this are not loaded in advance. */
const maxPreloadBytes = 4 * 1024 * 1024
/** The number of rows at the end of the loaded list. If the open file is one of them, more rows are loaded. */
const nearEndRows = 2

/**
 * Returns the previous and the next file of the list in which the file was opened, or else of its folder or contact. Loads both in advance,
 * and their pictures if they are small images.
 */
export function useFileNeighbours(file: File): { previous: File | undefined; next: File | undefined } {
  const client = useQueryClient()
  const [list] = useState(() => openedList.get() ?? listOfPlace(file))
  const { rows, loadNextPage } = usePagedList(fileKind, list)
  const index = rows.findIndex(({ id }) => id === file.id)
  const [previous, next] = index < 0 ? [] : [rows[index - 1], rows[index + 1]]
  const isNearEnd = index >= 0 && index >= rows.length - nearEndRows
  useEffect(() => {
    if (isNearEnd) loadNextPage()
  })
  useEffect(() => {
    for (const neighbour of [previous, next]) if (neighbour) preload(client, neighbour)
  }, [client, previous, next])
  return { previous, next }
}

/** Forgets the list when the preview is closed. */
export function useForgetList(): void {
  useEffect(() => () => openedList.set(undefined), [])
}

/** Returns the query of the list with all files of the same folder or contact, newest first. */
const listOfPlace = ({ folder_id, contact_id }: File): ListQuery => ({
  search: '',
  filter: contact_id === null ? inFolder(folder_id) : [{ field: 'contact_id', is: [contact_id] }],
  ...fileKind.defaultSort,
})

function preload(client: QueryClient, file: File): void {
  void client.prefetchQuery(recordQuery(fileKind, file.id))
  if (findPreviewType(file.file_type) === 'image' && file.file_size <= maxPreloadBytes)
    new Image().src = getContentAddress(file.id, 'inline')
}
