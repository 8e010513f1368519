import { useEffect, useEffectEvent, useState, type KeyboardEvent } from 'react'
import type { FormField } from '#contract/formFields.ts'
import { enableDragging } from '#web/ui/drag.ts'

type Options = { fields: readonly FormField[]; onMove: (from: number, to: number) => void }

/**
 * Moves fields by their handles: by mouse, by touch after a short hold, and with the arrow keys. A drag that is cancelled moves its field
 * back. `listRef` is the `ref` of the list.
 */
export function useFieldOrder({ fields, onMove }: Options) {
  const [list, setList] = useState<HTMLElement | null>(null)
  /** The field that is being dragged, and where it was when the drag began. */
  const [dragged, setDragged] = useState<{ id: string | undefined; startIndex: number }>()
  const [announcement, setAnnouncement] = useState('')
  const moveTo = (from: number, to: number): void => {
    if (from < 0 || to < 0 || to >= fields.length || from === to) return
    onMove(from, to)
    setAnnouncement(`${fields[from]?.field_label || 'The field'} is now number ${to + 1} of ${fields.length}.`)
  }
  const findDragged = (): number => fields.findIndex(({ id }) => id === dragged?.id)
  const start = useEffectEvent((handle: HTMLElement): boolean => {
    const id = handle.dataset['dragField']
    setDragged({ id, startIndex: fields.findIndex((field) => field.id === id) })
    return true
  })
  const drag = useEffectEvent(({ y }: { y: number }): void => {
    const from = findDragged()
    const boxes = [...(list?.querySelectorAll('[data-field-row]') ?? [])].map((row) => row.getBoundingClientRect())
    const indexBelow = boxes.findIndex(({ top, height }) => y < top + height / 2)
    const insertionIndex = indexBelow === -1 ? fields.length : indexBelow
    // without the dragged field, the indexes of the fields after it are one lower
    moveTo(from, insertionIndex > from ? insertionIndex - 1 : insertionIndex)
  })
  const end = useEffectEvent((): void => setDragged(undefined))
  const cancel = useEffectEvent((): void => {
    if (dragged) moveTo(findDragged(), dragged.startIndex)
    setDragged(undefined)
  })
  useEffect(() => {
    if (!list) return undefined
    return enableDragging(list, {
      selector: '[data-drag-field]',
      onStart: (handle) => start(handle),
      onMove: (pointer) => drag(pointer),
      onDrop: () => end(),
      onCancel: () => cancel(),
    })
  }, [list])
  const handleKey = (event: KeyboardEvent, index: number): void => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    moveTo(index, event.key === 'ArrowUp' ? index - 1 : index + 1)
  }
  return { listRef: setList, draggedId: dragged?.id, announcement, handleKey }
}
