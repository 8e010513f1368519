import { useEffect, useState, type DragEvent } from 'react'
import { createStore } from '#web/lib/store.ts'
import { readDrop, type AddedFiles } from './readFiles.ts'
import { uploadFiles } from './uploadFiles.ts'
import { isUploadLayerNeeded } from './uploadLayer.ts'
import { showUploadError } from './uploadError.ts'
import type { UploadPlace } from './uploadList.ts'

/**
 * The drop target over which files are dragged, by its name, and the number of dragged files or items. The count is 0 when the browser does
 * not report it.
 */
export const dragTarget = createStore<{ name: string; count: number; noun: 'file' | 'item' } | undefined>(undefined)

type DropHandlers = Record<'onDragEnter' | 'onDragOver' | 'onDragLeave' | 'onDrop', (event: DragEvent) => void>
type DropTarget = { isOver: boolean; handlers: DropHandlers }

/**
 * Makes an element a place where files can be dropped. Spread `handlers` on it. A drop target may contain others, such as a page with the
 * cards of its folders; the innermost target gets the files. `isOver` is true while files are dragged over the element or a target in it.
 */
export const useDropTarget = (place: UploadPlace, name: string): DropTarget => useFileDrop((added) => uploadFiles(place, added), name)

/** Does the same as `useDropTarget`, but gives the dropped files to `onFiles`. Without a name, no hint is shown during the drag. */
export function useFileDrop(onFiles: (added: AddedFiles) => Promise<unknown>, name?: string): DropTarget {
  const [isOver, setOver] = useState(false)
  const end = (): void => {
    setOver(false)
    dragTarget.set(undefined)
  }
  // removes the hint with the element, because an element that is removed gets no dragleave event
  useEffect(() => (isOver ? () => dragTarget.set(undefined) : undefined), [isOver])
  const handlers: DropHandlers = {
    onDragEnter: (event) => {
      if (!hasFiles(event)) return
      setOver(true)
      isUploadLayerNeeded.set(true)
    },
    onDragOver: (event) => {
      if (event.defaultPrevented || !hasFiles(event)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      showTarget(name, event.dataTransfer)
    },
    onDragLeave: ({ currentTarget, relatedTarget }) => {
      const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
      if (!isInside) end()
    },
    onDrop: (event) => {
      end()
      if (event.defaultPrevented || !hasFiles(event)) return
      event.preventDefault()
      readDrop(event.dataTransfer).then(onFiles).catch(showUploadError)
    },
  }
  return { isOver, handlers }
}

function showTarget(name: string | undefined, { items }: DataTransfer): void {
  const current = dragTarget.get()
  const files = [...items].filter(({ kind }) => kind === 'file')
  const isUnchanged = current?.name === name && (name === undefined || current?.count === files.length)
  if (isUnchanged) return
  const noun = files.every(({ type }) => type !== '') ? 'file' : 'item' // browsers name no type for a folder until it is dropped
  dragTarget.set(name === undefined ? undefined : { name, count: files.length, noun })
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files')
