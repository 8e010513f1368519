import { useState, type ClipboardEvent, type DragEvent } from 'react'

/** Gets the files that are dropped on an element or pasted in it. `isOver` is true while files are dragged over the element. */
export function useDropAndPaste(onFiles: (files: readonly File[]) => void, isDisabled: boolean) {
  const [isOver, setOver] = useState(false)
  const take = (event: DragEvent | ClipboardEvent, files: FileList | undefined): void => {
    if (!files || files.length === 0) return
    event.preventDefault()
    event.stopPropagation() // otherwise the page below the panel takes the files too
    onFiles([...files])
  }
  const handlers = {
    onDragOver: (event: DragEvent): void => {
      if (isDisabled || !event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setOver(true)
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent): void => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false)
    },
    onDrop: (event: DragEvent): void => {
      setOver(false)
      if (!isDisabled) take(event, event.dataTransfer.files)
    },
    onPaste: (event: ClipboardEvent): void => {
      const hasText = event.clipboardData.types.includes('text/plain') // a table is copied as text and as picture; its text is pasted
      if (!isDisabled && !hasText) take(event, event.clipboardData.files)
    },
  }
  return { isOver, handlers }
}
