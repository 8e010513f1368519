import { useEffect, useEffectEvent, useRef, useState, type ReactNode, type Ref } from 'react'
import { createPortal } from 'react-dom'
import { IconFile, IconFolder } from '@tabler/icons-react'
import { enableDragging } from '#web/ui/drag.ts'
import { formatEntryCounts } from '../actions/describeEntries.ts'
import { useMoveEntries, type MoveTarget } from '../actions/useMoveEntries.ts'
import { getParentId, type Entry } from '../kind/entries.ts'
import { hasTooManyEntries, type Selected } from '../kind/selected.ts'
import { entrySelector, findEntryOf } from './listParts.ts'
import classes from './useEntryDragging.module.css'

type Point = { x: number; y: number }

type EntryDraggingOptions = {
  /** The folders, and then the files of the list. */
  entries: readonly Entry[]
  folderCount: number
  selected: Selected
  onMoved: () => void
}

const noEntries: Selected = { entries: [] }

/** The distance of the drag image from the pointer, in px. */
const imageOffset = 14

/**
 * Drags folders and files onto a card or a link with `data-drop-folder`. Dragging a selected entry drags the whole selection. Returns the
 * ids of the dragged entries, a function that receives the element around the list, and the picture at the pointer.
 */
export function useEntryDragging({ entries, folderCount, selected, onMoved }: EntryDraggingOptions) {
  const [box, setBox] = useState<HTMLElement | null>(null)
  const [dragged, setDragged] = useState<Selected>(noEntries)
  const [target, setTarget] = useState<MoveTarget>()
  const image = useRef<HTMLDivElement>(null)
  const pointer = useRef<Point>({ x: 0, y: 0 })
  const markedElement = useRef<HTMLElement>(undefined)
  const move = useMoveEntries()

  /** Moves the drag image to the pointer. */
  const showAt = (point: Point): void => {
    pointer.current = point
    if (image.current) image.current.style.translate = `${point.x + imageOffset}px ${point.y + imageOffset}px`
  }
  /** Marks the element onto which the entries would be dropped, and removes the mark of the previous element. */
  const mark = (element: HTMLElement | undefined): void => {
    if (markedElement.current === element) return
    markedElement.current?.removeAttribute('data-drop-over')
    element?.setAttribute('data-drop-over', '')
    markedElement.current = element
    setTarget(element && readTarget(element))
  }
  function end(): void {
    mark(undefined)
    setDragged(noEntries)
  }
  const start = useEffectEvent((element: HTMLElement, point: Point): boolean => {
    const entry = findEntryOf(element, entries, folderCount)
    if (!entry) return false
    const draggedEntries = selected.entries.some(({ id }) => id === entry.id) ? selected : { entries: [entry] }
    if (hasTooManyEntries(draggedEntries)) return false
    setDragged(draggedEntries)
    showAt(point)
    return true
  })
  const drag = useEffectEvent((point: Point): void => {
    showAt(point)
    mark(findDropElement(point, dragged.entries))
  })
  const drop = useEffectEvent((point: Point): void => {
    const element = findDropElement(point, dragged.entries)
    if (element) move.mutate({ selected: dragged, target: readTarget(element), isOptimistic: true }, { onSuccess: onMoved })
    end()
  })
  const cancel = useEffectEvent(end)
  useEffect(() => {
    if (!box) return undefined
    return enableDragging(box, {
      selector: entrySelector,
      getScroller: () => box.querySelector<HTMLElement>('[data-scroll-restoration-id]') ?? box,
      onStart: (element, point) => start(element, point),
      onMove: (point) => drag(point),
      onDrop: (point) => drop(point),
      onCancel: () => cancel(),
    })
  }, [box])
  useEffect(() => showAt(pointer.current)) // after every render, because the render may have created the image
  const dragImage: ReactNode =
    dragged.entries.length > 0 && createPortal(<DragImage dragged={dragged} target={target} imageRef={image} />, document.body)
  return { boxRef: setBox, dragImage, draggedIds: new Set(dragged.entries.map(({ id }) => id)) }
}

type DragImageProps = { dragged: Selected; target: MoveTarget | undefined; imageRef: Ref<HTMLDivElement> }

function DragImage({ dragged, target, imageRef }: DragImageProps) {
  const [first, ...others] = dragged.entries
  const DraggedIcon = first?.kind === 'folder' ? IconFolder : IconFile
  return (
    <div ref={imageRef} className={classes['image']} aria-hidden>
      <DraggedIcon size={16} stroke={1.6} />
      <span className={classes['name']}>{others.length === 0 && !dragged.everything ? first?.name : formatEntryCounts(dragged)}</span>
      {target && <span className={classes['target']}>to {target.name}</span>}
    </div>
  )
}

/** Reads the folder from the attributes of an element. The root folder has an empty `data-drop-folder` and no name. */
const readTarget = ({ dataset }: HTMLElement): MoveTarget => ({ id: dataset['dropFolder'] || null, name: dataset['dropName'] ?? 'Files' })

/**
 * Returns the element at a point onto which the entries can be dropped. A folder cannot be dropped onto itself, and entries cannot be
 * dropped onto the folder that contains them.
 */
function findDropElement({ x, y }: Point, entries: readonly Entry[]): HTMLElement | undefined {
  const element = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-drop-folder]')
  if (!element) return undefined
  const { id } = readTarget(element)
  const isUnchanged = entries.every((entry) => getParentId(entry) === id)
  return isUnchanged || entries.some((entry) => entry.id === id) ? undefined : element
}
