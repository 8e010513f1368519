import { useEffect, useEffectEvent, useRef, type RefObject } from 'react'

/** Adds a DOM listener to an element while the component is mounted. A table uses one listener for all cells, because that is faster. */
export function useListener<Name extends keyof HTMLElementEventMap>(
  element: HTMLElement | null,
  name: Name,
  listener: (event: HTMLElementEventMap[Name]) => void,
): void {
  const latestListener = useEffectEvent(listener)
  useEffect(() => {
    if (!element) return undefined
    const listen = (event: HTMLElementEventMap[Name]) => latestListener(event)
    element.addEventListener(name, listen)
    return () => element.removeEventListener(name, listen)
  }, [element, name])
}

/** When the focused item of a list is removed, moves the focus to the first input of the item that takes its position. */
export function useFocusAfterRemoval(list: RefObject<HTMLElement | null>): void {
  const focusedIndex = useRef(-1)
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent): void => {
      focusedIndex.current = [...(list.current?.children ?? [])].findIndex((item) => target instanceof Node && item.contains(target))
    }
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [list])
  useEffect(() => {
    const count = list.current?.children.length ?? 0
    if (focusedIndex.current < 0 || count === 0 || document.activeElement !== document.body) return
    list.current?.children[Math.min(focusedIndex.current, count - 1)]?.querySelector('input')?.focus()
  }) // runs after every render, because any render may remove an item
}
