import { useEffect, useEffectEvent, useRef } from 'react'

/** More items are requested when fewer than this number of items follow the last visible item. */
const nearEndItems = 30

/** Calls `onNearEnd` while the last visible item is near the last loaded item. */
export function useNearEnd(itemCount: number, lastVisible: number, onNearEnd: () => void): void {
  const isNear = lastVisible >= itemCount - nearEndItems
  const requestMore = useEffectEvent(onNearEnd)
  // the list ignores calls while it loads, and a load may fail, so this effect repeats the call on every render
  useEffect(() => {
    if (isNear && itemCount > 0) requestMore()
  })
}

/** Calls `onVisible` when the indexes of the first and last visible item, or the items, change. */
export function useVisibleRange(
  items: readonly unknown[],
  first: number | undefined,
  last: number | undefined,
  onVisible: ((first: number, last: number) => void) | undefined,
): void {
  const report = useEffectEvent((firstIndex: number, lastIndex: number) => onVisible?.(firstIndex, lastIndex))
  useEffect(() => {
    if (first !== undefined && last !== undefined && items.length > 0) report(first, last)
  }, [items, first, last])
}

/** Scrolls to the top when `queryText` changes. `queryText` is the list's search, filters and sort as one text. */
export function useScrollToTop(box: HTMLElement | null, queryText: string): void {
  const previousQueryText = useRef(queryText)
  useEffect(() => {
    if (previousQueryText.current !== queryText && box) box.scrollTo({ top: 0 })
    previousQueryText.current = queryText
  }, [box, queryText])
}
