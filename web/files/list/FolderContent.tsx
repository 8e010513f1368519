import { Button } from '@mantine/core'
import { useMemo, useRef, useState, type MouseEvent, type ReactNode } from 'react'
import { describeError } from '#web/lib/toasts.ts'
import { useCursor } from '#web/ui/cursor.ts'
import { useSelection } from '#web/ui/selection.ts'
import { toFileEntry, type Entry, type FolderEntry } from '../kind/entries.ts'
import type { FileLayout } from '../kind/layoutChoice.ts'
import { hasTooManyEntries } from '../kind/selected.ts'
import { EntryMenu, type OpenMenu } from './EntryMenu.tsx'
import { FileList, type ListedFiles } from './FileList.tsx'
import classes from './FolderContent.module.css'
import { FolderGrid, FolderGridSkeleton } from './FolderGrid.tsx'
import { entrySelector, findEntryOf, findNextIndex, offsetCursor, offsetSelection } from './listParts.ts'
import { SelectedEntries } from './SelectedEntries.tsx'
import { useEntryCommands } from './useEntryCommands.tsx'
import { useEntryDragging } from './useEntryDragging.tsx'
import { useEntryShortcuts } from './useEntryShortcuts.ts'
import { useReveal } from './useReveal.ts'
import { useSelected, type SelectableList } from './useSelected.ts'

type ListedFolders = {
  entries: readonly FolderEntry[]
  /** False for recent files without a search. */
  isShown: boolean
  isPending: boolean
  error: Error | null
  isFetching: boolean
  retry: () => void
  hasMore: boolean
  loadMore: () => void
}

type FolderContentProps = {
  view: ListedFiles & SelectableList & { folders: ListedFolders; isSearch: boolean; searchedFolderId: string | undefined; isEmpty: boolean }
  layout: FileLayout
  isPhone: boolean
  scrollName: string
  /** The area for uploads above the folders. */
  uploadArea: ReactNode
  /** Shown when there are no files and no folders, also if the folders could not be loaded. */
  empty: ReactNode
  /** The id of a folder or a file that was just created or renamed and gets the focus. */
  revealedId: string | undefined
  onReveal: (id: string | undefined) => void
}

/** The folders and files in a folder or those that a search finds, or the recent files. The selection contains folders and files. */
export function FolderContent({ view, layout, isPhone, scrollName, uploadArea, empty, revealedId, onReveal }: FolderContentProps) {
  const { list, folders, query, isSearch, isEmpty } = view
  const entries = useMemo<Entry[]>(() => [...folders.entries, ...list.rows.map(toFileEntry)], [folders.entries, list.rows])
  const folderCount = folders.entries.length
  const selection = useSelection(entries, JSON.stringify(query))
  const cursor = useCursor(entries)
  const { commands, dialog, isDialogOpen } = useEntryCommands(query, {
    clearSelection: selection.clear,
    onRenamed: ({ id }) => onReveal(id),
  })
  const { selected, everythingToSelect } = useSelected({ view, entries, selection })
  // the focus stays in an open dialog
  useReveal({ id: isDialogOpen ? undefined : revealedId, entries, cursor, folders, onEnd: () => onReveal(undefined) })
  const [menu, setMenu] = useState<OpenMenu>()
  /** The number of columns of the grid of files. */
  const [gridColumns, setGridColumns] = useState(1)
  /** The upload area and the folders, above the files. */
  const folderPart = useRef<HTMLDivElement>(null)
  useEntryShortcuts({
    entries,
    selected,
    cursor,
    selection,
    selectEverything: () => {
      if (everythingToSelect !== undefined) selection.selectAllMatching()
    },
    commands,
    hasTilesBesideEachOther: folderCount > 0 || layout === 'grid',
    findNext: (direction) => {
      const fileColumns = layout === 'grid' ? gridColumns : 1
      const folderColumns = countColumns(folderPart.current)
      return findNextIndex({ folderCount, folderColumns, fileCount: list.rows.length, fileColumns }, cursor.index, direction)
    },
  })
  const runAction = (action: string, entry: Entry, button: HTMLElement): void => {
    if (action === 'menu') setMenu({ selected: { entries: [entry] }, button })
    if (action === 'download') commands.download({ entries: [entry] })
    if (action === 'analyze' && entry.kind === 'file') commands.analyze(entry)
    if (action === 'delete') commands.remove({ entries: [entry] })
  }
  /** Opens the menu of the entry at the pointer. Elsewhere the menu of the browser opens. */
  const openMenuAtPointer = (event: MouseEvent): void => {
    const element = event.target instanceof Element ? event.target.closest<HTMLElement>(entrySelector) : null
    const entry = element && findEntryOf(element, entries, folderCount)
    const button = element?.querySelector<HTMLElement>('[data-action="menu"]')
    if (!entry || !button || event.defaultPrevented || hasTooManyEntries(selected)) return
    event.preventDefault()
    const at = { x: event.clientX, y: event.clientY }
    setMenu({ selected: selection.ids.has(entry.id) ? selected : { entries: [entry] }, button, at })
  }
  const { boxRef, dragImage, draggedIds } = useEntryDragging({ entries, folderCount, selected, onMoved: selection.clear })
  const hasFolderPart = folders.isShown && (!isSearch || folderCount > 0 || folders.error !== null)
  const above = hasFolderPart && (
    <div className={classes['above']} ref={folderPart}>
      {!isSearch && uploadArea}
      {folders.isPending && !isSearch && <FolderGridSkeleton />}
      {folders.error && <FoldersFailed folders={folders} error={folders.error} />}
      {folderCount > 0 && (
        <FolderGrid
          folders={folders.entries}
          search={isSearch ? { folderId: view.searchedFolderId } : undefined}
          selection={selection}
          cursor={cursor}
          canSelectByTap={isPhone}
          onOpen={commands.open}
          onAction={runAction}
        />
      )}
      {folders.hasMore && (
        <Button variant="default" className={classes['more'] ?? ''} onClick={folders.loadMore} loading={folders.isFetching}>
          Show more folders
        </Button>
      )}
    </div>
  )
  const hasNoFiles = list.isEmpty && !folders.isPending
  return (
    <div
      ref={boxRef}
      className={classes['content']}
      data-layout={layout}
      data-search={isSearch || undefined}
      data-dragging={draggedIds.size > 0 || undefined}
      onContextMenu={openMenuAtPointer}
    >
      {hasNoFiles ? (
        <div className={classes['scroller']}>
          {above}
          {isEmpty && empty}
        </div>
      ) : (
        <FileList
          {...view}
          layout={layout}
          isPhone={isPhone}
          above={above}
          isFaded={({ id }) => draggedIds.has(id)}
          selection={offsetSelection(selection, folderCount)}
          cursor={offsetCursor(cursor, folderCount)}
          scrollName={scrollName}
          onOpen={(file) => commands.open(toFileEntry(file))}
          onAction={(action, file, button) => runAction(action, toFileEntry(file), button)}
          onColumns={setGridColumns}
        />
      )}
      {menu && (
        <EntryMenu
          {...menu}
          commands={commands}
          onSelect={(entry) => selection.toggle(entries.findIndex(({ id }) => id === entry.id))}
          onClose={() => setMenu(undefined)}
        />
      )}
      {selection.ids.size > 0 && (
        <SelectedEntries
          selected={selected}
          everythingToSelect={everythingToSelect}
          commands={commands}
          onSelectLoaded={selection.isEveryLoadedRowSelected ? undefined : selection.toggleAll}
          onSelectAll={selection.selectAllMatching}
          onClear={selection.clear}
        />
      )}
      {dialog}
      {dragImage}
    </div>
  )
}

const FoldersFailed = ({ folders, error }: { folders: ListedFolders; error: Error }) => (
  <p className={classes['failed']} role="alert">
    The folders could not be loaded. {describeError(error)}
    <Button variant="default" onClick={folders.retry} loading={folders.isFetching}>
      Try again
    </Button>
  </p>
)

/** Returns the number of cards in the first row of the folders. */
function countColumns(folderPart: HTMLElement | null): number {
  const cards = [...(folderPart?.querySelectorAll<HTMLElement>('[data-folder-card]') ?? [])]
  return Math.max(cards.filter(({ offsetTop }) => offsetTop === cards[0]?.offsetTop).length, 1)
}
