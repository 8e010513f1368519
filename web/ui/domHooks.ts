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

/**
 * When the focused item of a list is removed, moves the focus to the first input or button of the item that takes its position. If there
 * is none, moves the focus to the main element of the page.
 */
export function useFocusAfterRemoval(list: RefObject<HTMLElement | null>): void {
  const focused = useRef<{ item: Element; index: number }>(undefined)
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent): void => {
      const items = [...(list.current?.children ?? [])]
      const index = items.findIndex((item) => target instanceof Node && item.contains(target))
      const item = items[index]
      focused.current = item && { item, index }
    }
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [list])
  useEffect(() => {
    if (!focused.current || focused.current.item.isConnected || document.activeElement !== document.body) return
    const items = list.current?.children
    const item = items?.[Math.min(focused.current.index, items.length - 1)]
    const target = item?.querySelector<HTMLElement>('input, button') ?? document.querySelector('main')
    target?.focus()
  }) // runs after every render, because any render may remove an item
}
