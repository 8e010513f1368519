import { useEffect, useRef, type RefObject } from 'react'

/** In a short list whose lines go when they are done: the line that takes the place of the focused one has the focus, on its first box. */
export function useFocusAfterRemoval(list: RefObject<HTMLElement | null>): void {
  const place = useRef(-1)
  useEffect(() => {
    const note = ({ target }: FocusEvent): void => {
      place.current = [...(list.current?.children ?? [])].findIndex((line) => target instanceof Node && line.contains(target))
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [list])
  useEffect(() => {
    const left = list.current?.children.length ?? 0
    if (place.current < 0 || left === 0 || document.activeElement !== document.body) return
    list.current?.children[Math.min(place.current, left - 1)]?.querySelector('input')?.focus()
  }) // after every drawing: a line may have gone with it
}
