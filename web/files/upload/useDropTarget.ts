import { useState, type DragEvent } from 'react'
import { createStore } from '#web/lib/store.ts'
import { toastError } from '#web/lib/toasts.ts'
import { readDrop } from './readFiles.ts'
import { isUploadLayerNeeded } from './uploadLayer.ts'
import { uploadFiles } from './uploadFiles.ts'
import type { UploadPlace } from './uploadList.ts'

/** The place under a drag with files, and what is dragged. The count is 0 when the browser hides it. */
export const dragTarget = createStore<{ name: string; count: number; noun: 'file' | 'item' } | undefined>(undefined)

type DropHandlers = Record<'onDragEnter' | 'onDragOver' | 'onDragLeave' | 'onDrop', (event: DragEvent) => void>

/**
 * Makes an element a place where files can be dropped. Spread `handlers` on it. A drop target may contain others, such as a page with the
 * cards of its folders; the innermost gets the files. `isOver` is true while files are dragged over the element or a target in it.
 */
export function useDropTarget(place: UploadPlace, name: string): { isOver: boolean; handlers: DropHandlers } {
  const [isOver, setOver] = useState(false)
  const end = (): void => {
    setOver(false)
    dragTarget.set(undefined)
  }
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
      const files = [...event.dataTransfer.items].filter(({ kind }) => kind === 'file')
      const shown = dragTarget.get()
      // browsers name no type for a folder until it is dropped
      const noun = files.every(({ type }) => type !== '') ? 'file' : 'item'
      if (shown?.name !== name || shown.count !== files.length) dragTarget.set({ name, count: files.length, noun })
    },
    onDragLeave: ({ currentTarget, relatedTarget }) => {
      const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
      if (!isInside) end()
    },
    onDrop: (event) => {
      end()
      if (event.defaultPrevented || !hasFiles(event)) return
      event.preventDefault()
      readDrop(event.dataTransfer)
        .then((added) => uploadFiles(place, added))
        .catch((error: unknown) => toastError(error, 'Upload failed'))
    },
  }
  return { isOver, handlers }
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes('Files')
