import { useEffect, useEffectEvent, useRef } from 'react'
import type { Cursor } from './cursor.ts'

type FocusedItemOptions = {
  /** The element that contains the items; null until it is mounted. */
  box: HTMLElement | null
  cursor: Cursor
  items: readonly { id: string }[]
  /** Returns the CSS selector of the element that receives the focus for the item with this index. */
  selector: (index: number) => string
  /** Makes the item with this index visible. */
  scrollTo: (index: number) => void
}

/** Focuses the current item when the cursor moves, and the next item when the focused one is removed. */
export function useFocusedItem({ box, cursor, items, selector, scrollTo }: FocusedItemOptions): void {
  const hadFocus = useRef(false)
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      hadFocus.current = target instanceof Node && (box?.contains(target) ?? false)
    }
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [box])
  const focus = useEffectEvent(() => {
    if (cursor.index < 0 || cursor.index >= items.length) return
    scrollTo(cursor.index)
    box?.querySelector<HTMLElement>(selector(cursor.index))?.focus({ preventScroll: true })
  })
  useEffect(() => {
    if (cursor.moves > 0) focus()
  }, [cursor.moves])
  const id = items[cursor.index]?.id
  useEffect(() => {
    // browsers focus the body when the focused element is removed
    if (id && hadFocus.current && document.activeElement === document.body) focus()
  }, [id])
}
