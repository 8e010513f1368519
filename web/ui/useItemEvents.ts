import { useEffect, useEffectEvent } from 'react'
import { useListener } from './domHooks.ts'
import type { Cursor } from './cursor.ts'
import type { Selection } from './selection.ts'

type ItemEventsOptions<Item> = {
  /** The CSS selector of the elements of the items. Each has its index as `data-index`. */
  selector: string
  items: readonly Item[]
  selection: Selection
  cursor: Cursor
  /** A long press selects an item. While items are selected, a click selects another item and does not open it. Used on phones. */
  canSelectByTap: boolean
  /**
   * If true, a click with Ctrl or Cmd selects, like a click with Shift; these clicks also select on the link of an item, and open no tab.
   * If false, only a click with Shift selects, and not on the link.
   */
  canSelectByCtrlClick: boolean
  /** Called when an item is clicked. */
  onOpen: (item: Item) => void
  /** Called when a button with `data-action` in an item is clicked. */
  onAction: (action: string, item: Item, button: HTMLElement) => void
}

/**
 * Handles clicks and the focus of the items in a box, with listeners on the box and not on each item. Returns a function that finds the
 * item of an element.
 */
export function useItemEvents<Item>(box: HTMLElement | null, options: ItemEventsOptions<Item>) {
  const { selector, items, selection, cursor, canSelectByTap, canSelectByCtrlClick, onOpen, onAction } = options
  const findItem = (target: EventTarget | null) => {
    const index = Number(target instanceof Element ? target.closest(selector)?.getAttribute('data-index') : undefined)
    const item = items[index]
    return item && { item, index }
  }
  useListener(box, 'click', (event) => {
    const clicked = findItem(event.target)
    if (!clicked || !(event.target instanceof Element)) return
    const button = event.target.closest<HTMLElement>('[data-action]')
    if (button) return onAction(button.dataset['action'] ?? '', clicked.item, button)
    if (isOpeningClick(event, event.target)) {
      event.preventDefault()
      if (canSelectByTap && selection.ids.size > 0) selection.toggle(clicked.index)
      else onOpen(clicked.item)
      return
    }
    // a click on a control in the item does not select the item
    const isSelectable = !event.target.closest(canSelectByCtrlClick ? 'button, input, a:not([data-row-link])' : 'a, button, input')
    if (!isSelectable) return
    if (event.shiftKey) selection.toggleRange(clicked.index)
    else if (canSelectByCtrlClick && (event.ctrlKey || event.metaKey)) selection.toggle(clicked.index)
    else return
    event.preventDefault()
    window.getSelection()?.removeAllRanges()
  })
  const toggleHeldItem = useEffectEvent((element: Element) => {
    const held = findItem(element)
    if (held) selection.toggle(held.index)
  })
  useEffect(() => {
    if (!box || !canSelectByTap) return undefined
    let stop: (() => void) | undefined
    let isStopped = false
    const listen = async (): Promise<void> => {
      const { listenForLongPress } = await import('./longPress.ts')
      if (!isStopped) stop = listenForLongPress(box, selector, (element) => toggleHeldItem(element))
    }
    listen().catch(() => undefined) // if the code cannot be loaded, users can still select with the menu of an item
    return () => {
      isStopped = true
      stop?.()
    }
  }, [box, canSelectByTap, selector])
  useListener(box, 'focusin', (event) => {
    const focused = findItem(event.target)
    if (focused) cursor.setCurrent(focused.index)
  })
  return findItem
}

/**
 * Returns true for a click without a modifier key on the item or on its link. A click on another link, a button or a checkbox, or a click
 * that ends a text selection, does not open the item.
 */
function isOpeningClick(event: MouseEvent, target: Element): boolean {
  if (event.defaultPrevented || event.button !== 0 || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false
  if (target.closest('a[data-row-link]')) return true
  return !target.closest('a, button, input, [data-column="checkbox"]') && !window.getSelection()?.toString()
}
