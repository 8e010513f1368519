import { Button } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconFolder, IconHome } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState, type KeyboardEvent } from 'react'
import { describeError } from '#web/lib/toasts.ts'
import type { MoveTarget } from '../actions/useMoveEntries.ts'
import { foldersQuery } from '../kind/queries.ts'
import classes from './FolderDialog.module.css'

export type FolderChoice = {
  /** The folder into which the entries will be moved; undefined until the user has selected one. */
  target: MoveTarget | undefined
  onTarget: (target: MoveTarget) => void
  /** The ids of the folders that the user is moving. Nothing can be moved into them. */
  movedIds: ReadonlySet<string>
}

type FolderTreeProps = FolderChoice & {
  root: MoveTarget
  /** The folders that are expanded at first, in addition to the root folder. */
  openIds: readonly string[]
}

/** A tree of all folders. The folders in a folder are loaded when it is expanded. */
export const FolderTree = ({ root, ...props }: FolderTreeProps) => (
  <ul role="tree" aria-label="Folders" className={classes['tree']} onKeyDown={moveFocus}>
    <FolderNode {...props} folder={root} depth={0} isFirst />
  </ul>
)

type FolderNodeProps = Omit<FolderTreeProps, 'root'> & {
  folder: MoveTarget
  /** 0 for the root folder. */
  depth: number
  isFirst?: boolean
}

function FolderNode({ folder, depth, isFirst = false, ...props }: FolderNodeProps) {
  const { target, onTarget, movedIds, openIds } = props
  /** Undefined until the user expands or collapses the folder. */
  const [isOpenByUser, setOpenByUser] = useState<boolean>()
  const isOpen = isOpenByUser ?? (depth === 0 || openIds.includes(folder.id ?? ''))
  const isBeingMoved = movedIds.has(folder.id ?? '')
  const isChosen = target !== undefined && target.id === folder.id
  const FolderIcon = depth === 0 ? IconHome : IconFolder
  const Chevron = isOpen && !isBeingMoved ? IconChevronDown : IconChevronRight
  return (
    <>
      <li
        role="treeitem"
        aria-label={folder.name}
        aria-expanded={isBeingMoved ? undefined : isOpen}
        aria-selected={isChosen}
        aria-disabled={isBeingMoved || undefined}
        aria-level={depth + 1}
        tabIndex={isChosen || (isFirst && target === undefined) ? 0 : -1}
        onFocus={(event) => {
          if (event.target === event.currentTarget && !isBeingMoved) onTarget(folder)
        }}
        onKeyDown={(event) => {
          if (event.target !== event.currentTarget || isBeingMoved) return
          if (event.key === 'ArrowRight') setOpenByUser(true)
          if (event.key === 'ArrowLeft') setOpenByUser(false)
          if (event.key === 'Enter') event.currentTarget.closest('form')?.requestSubmit()
        }}
      >
        <div
          className={classes['row']}
          style={{ paddingLeft: 4 + depth * 20 }}
          data-chosen={isChosen || undefined}
          data-moved={isBeingMoved || undefined}
        >
          <button
            type="button"
            tabIndex={-1}
            className={classes['chevron']}
            aria-label={`${isOpen ? 'Collapse' : 'Expand'} ${folder.name}`}
            disabled={isBeingMoved}
            onClick={() => setOpenByUser(!isOpen)}
          >
            <Chevron size={14} stroke={1.75} aria-hidden />
          </button>
          <button
            type="button"
            tabIndex={-1}
            className={classes['name']}
            disabled={isBeingMoved}
            title={folder.name}
            onClick={() => onTarget(folder)}
          >
            <FolderIcon size={16} stroke={1.6} aria-hidden />
            <span>{folder.name}</span>
          </button>
        </div>
      </li>
      {isOpen && !isBeingMoved && <FolderChildren {...props} parent={folder} depth={depth + 1} />}
    </>
  )
}

function FolderChildren({ parent, depth, ...props }: Omit<FolderNodeProps, 'folder'> & { parent: MoveTarget }) {
  const folders = useInfiniteQuery(foldersQuery({ parentId: parent.id }))
  const style = { paddingLeft: 28 + depth * 20 }
  if (folders.isPending)
    return (
      <li role="none" className={classes['note']} style={style}>
        <output>Loading ...</output>
      </li>
    )
  if (folders.isError)
    return (
      <li role="none" className={classes['note']} style={style}>
        {describeError(folders.error)}{' '}
        <Button variant="subtle" onClick={() => void folders.refetch()}>
          Try again
        </Button>
      </li>
    )
  return (
    <>
      {folders.data.pages
        .flatMap(({ rows }) => rows)
        .map((folder) => (
          <FolderNode key={folder.id} {...props} folder={folder} depth={depth} />
        ))}
      {folders.hasNextPage && (
        <li role="none" style={style}>
          <Button variant="subtle" onClick={() => void folders.fetchNextPage()} loading={folders.isFetchingNextPage}>
            Show more folders
          </Button>
        </li>
      )}
    </>
  )
}

/** Moves the focus through the tree with the arrow keys, Home and End. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=treeitem]')]
  const index = items.findIndex((item) => item.contains(document.activeElement))
  const nextIndexes: Record<string, number> = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: items.length - 1 }
  const next = items[nextIndexes[event.key] ?? -1] // undefined for other keys and beyond the ends
  if (!next) return
  event.preventDefault()
  next.focus()
}
