import { IconDots, IconFolder } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { maxCountedFiles, type Folder } from '#contract/folders.ts'
import { formatCount, formatNumber } from '#web/lib/format.ts'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import type { Cursor } from '#web/ui/cursor.ts'
import rowButton from '#web/ui/RowButton.module.css'
import type { Selection } from '#web/ui/selection.ts'
import { useFocusedItem } from '#web/ui/useFocusedItem.ts'
import { useItemEvents } from '#web/ui/useItemEvents.ts'
import { getEntryAddress, type FolderEntry } from '../kind/entries.ts'
import { useDropTarget } from '../upload/useDropTarget.ts'
import classes from './FolderGrid.module.css'
import { PathText } from '../kind/PathText.tsx'

type FolderGridProps = {
  folders: readonly FolderEntry[]
  /**
   * Set when a search found the folders. Their cards then show their paths. `folderId` is the folder that the search is limited to, if any.
   */
  search: { folderId: string | undefined } | undefined
  /** The selection and the cursor of the whole list, which begins with the folders. */
  selection: Selection
  cursor: Cursor
  canSelectByTap: boolean
  onOpen: (folder: FolderEntry) => void
  onAction: (action: string, folder: FolderEntry, button: HTMLElement) => void
}

/** The folders in a folder, or those that a search found, as cards. */
export function FolderGrid({ folders, search, selection, cursor, canSelectByTap, onOpen, onAction }: FolderGridProps) {
  const [grid, setGrid] = useState<HTMLUListElement | null>(null)
  useItemEvents(grid, {
    selector: '[data-folder-card]',
    items: folders,
    selection,
    cursor,
    canSelectByTap,
    canSelectByCtrlClick: true,
    onOpen,
    onAction,
  })
  useFocusedItem({
    box: grid,
    cursor,
    items: folders,
    selector: getLinkSelector,
    scrollTo: (index) => grid?.querySelector(getLinkSelector(index))?.scrollIntoView({ block: 'nearest' }),
  })
  const currentIndex = cursor.index < folders.length ? Math.max(cursor.index, 0) : 0
  return (
    <ul
      ref={setGrid}
      className={classes['grid']}
      aria-label={search ? 'Folders found' : 'Folders'}
      data-folder-grid
      data-selecting={selection.ids.size > 0 || undefined}
    >
      {folders.map((entry, index) => (
        <FolderCard
          key={entry.id}
          entry={entry}
          secondLine={search ? <FolderPlace folder={entry.folder} searchedFolderId={search.folderId} /> : describeContent(entry.folder)}
          index={index}
          isSelected={selection.ids.has(entry.id)}
          isInTabOrder={index === currentIndex}
          onToggle={({ isShiftHeld }) => (isShiftHeld ? selection.toggleRange(index) : selection.toggle(index))}
        />
      ))}
    </ul>
  )
}

/** Describes what is directly in a folder: "14 files", "Empty". */
function describeContent({ file_count, is_empty }: Folder): string {
  if (is_empty) return 'Empty'
  if (file_count >= maxCountedFiles) return `${formatNumber(maxCountedFiles)}+ files`
  return file_count === 0 ? 'Only folders' : formatCount(file_count, 'file')
}

/** The path of a folder that a search found. */
const FolderPlace = ({ folder, searchedFolderId }: { folder: FolderEntry['folder']; searchedFolderId: string | undefined }) => (
  <PathText path={folder.path ?? []} isCut={folder.is_path_cut} searchedFolderId={searchedFolderId} prefix="in " />
)

const getLinkSelector = (index: number): string => `[data-index="${index}"] a[data-row-link]`

type FolderCardProps = {
  entry: FolderEntry
  secondLine: ReactNode
  index: number
  isSelected: boolean
  isInTabOrder: boolean
  onToggle: (click: { isShiftHeld: boolean }) => void
}

/**
 * The card of a folder. Files from the computer, and files and folders of the list, can be dropped on it. The grid handles clicks on the
 * link (`data-row-link`) and on the button (`data-action`).
 */
function FolderCard({ entry, secondLine, index, isSelected, isInTabOrder, onToggle }: FolderCardProps) {
  const { id, name } = entry
  const { isOver, handlers } = useDropTarget({ folder_id: id, contact_id: null }, name)
  const tabIndex = isInTabOrder ? 0 : -1
  return (
    <li
      className={classes['card']}
      data-folder-card
      data-index={index}
      data-drop-folder={id}
      data-drop-name={name}
      data-selected={isSelected || undefined}
      data-over={isOver || undefined}
      {...handlers}
    >
      <span className={classes['icon']}>
        <IconFolder size={20} stroke={1.6} aria-hidden />
        <Checkbox label={`Select ${name}`} checked={isSelected} isInTabOrder={isInTabOrder} onToggle={onToggle} />
      </span>
      <div className={classes['texts']}>
        <a className={classes['name']} href={getEntryAddress(entry)} title={name} data-row-link draggable={false} tabIndex={tabIndex}>
          {name}
        </a>
        <span className={classes['count']}>{secondLine}</span>
      </div>
      <button
        type="button"
        className={rowButton['button']}
        data-action="menu"
        aria-label={`More for ${name}`}
        aria-haspopup="menu"
        tabIndex={tabIndex}
      >
        <IconDots size={16} stroke={1.75} aria-hidden />
      </button>
    </li>
  )
}

/** Placeholders while the folders are being loaded. */
export const FolderGridSkeleton = () => (
  <output className={classes['grid']} aria-label="Loading folders">
    {['first', 'second', 'third', 'fourth'].map((card) => (
      <span key={card} className={classes['card']} data-loading />
    ))}
  </output>
)
