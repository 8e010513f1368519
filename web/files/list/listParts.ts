// A list begins with its folders and continues with its files. These functions convert between an index in one part and in the whole list.
import type { Cursor } from '#web/ui/cursor.ts'
import type { Selection } from '#web/ui/selection.ts'
import type { Entry } from '../kind/entries.ts'

/** The CSS selector of the elements of folders, which are cards, and of files, which are table rows or tiles. */
export const entrySelector = 'tr[data-index], [data-folder-card], [data-tile]'

/**
 * Returns the folder or the file of an element that `entrySelector` finds. The attribute `data-index` counts folders and files separately,
 * both from 0, and `entries` contains the folders first.
 */
export function findEntryOf(element: HTMLElement, entries: readonly Entry[], folderCount: number): Entry | undefined {
  const index = Number(element.dataset['index'])
  return entries[element.matches('[data-folder-card]') ? index : index + folderCount]
}

/** Returns the same selection for a part of the list, whose indexes count from 0. The part begins at the index `offset` of the list. */
export const offsetSelection = (selection: Selection, offset: number): Selection => ({
  ...selection,
  toggle: (index) => selection.toggle(index + offset),
  toggleRange: (index) => selection.toggleRange(index + offset),
  extend: (from, to) => selection.extend(from + offset, to + offset),
})

/**
 * Returns the same cursor for a part of the list, whose indexes count from 0. The part begins at the index `offset` of the list. If the
 * current entry is before that part, the index is -1.
 */
export const offsetCursor = (cursor: Cursor, offset: number): Cursor => ({
  index: cursor.index < offset ? -1 : cursor.index - offset,
  moves: cursor.moves,
  move: (index) => cursor.move(index + offset),
  setCurrent: (index) => cursor.setCurrent(index + offset),
})

export type Direction = 'up' | 'down' | 'left' | 'right'

/** A list that begins with a grid of folders and continues with files. Files one below the other are a grid of one column. */
type Layout = { folderCount: number; folderColumns: number; fileCount: number; fileColumns: number }

/** Returns the index to which an arrow key moves the cursor. An index outside the list means the first or the last entry. */
export function findNextIndex({ folderCount, folderColumns, fileCount, fileColumns }: Layout, index: number, direction: Direction): number {
  if (index < 0) return 0
  if (index < folderCount) {
    if (direction === 'left') return index - 1
    if (direction === 'right') return index + 1
    if (direction === 'up') return Math.max(index - folderColumns, index % folderColumns) // in the first row, the cursor stays
    // down
    if (index + folderColumns < folderCount) return index + folderColumns
    const isInLastRow = Math.floor(index / folderColumns) === Math.floor((folderCount - 1) / folderColumns)
    if (!isInLastRow) return folderCount - 1
    // from the last row of folders to the first row of files, if possible in the same column
    return fileCount === 0 ? index : folderCount + Math.min(index % folderColumns, fileColumns - 1, fileCount - 1)
  }
  if (direction === 'left') return fileColumns > 1 ? index - 1 : index
  if (direction === 'right') return fileColumns > 1 ? index + 1 : index
  if (direction === 'down') return index + fileColumns
  // up
  const fileIndex = index - folderCount
  if (fileIndex >= fileColumns) return index - fileColumns
  if (folderCount === 0) return index
  // from the first row of files to the last row of folders
  const lastRowStart = Math.floor((folderCount - 1) / folderColumns) * folderColumns
  return Math.min(lastRowStart + fileIndex, folderCount - 1)
}
