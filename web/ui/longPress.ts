/** The time for which a finger must stay on an element. */
const longPressMs = 400
/** A finger that moves further than this scrolls the page and is no long press. */
const maxMovePx = 8
/** A browser sends the click event within this time after the finger is lifted, also on a slow phone. */
const clickDelayMs = 1000

/**
 * Calls `onLongPress` with the element that a finger holds in the box. The finger then opens neither a link nor a context menu. A finger
 * that moves scrolls as usual. Returns a function that removes all listeners.
 */
export function listenForLongPress(box: HTMLElement, selector: string, onLongPress: (element: Element) => void): () => void {
  const listeners = new AbortController()
  const { signal } = listeners
  let press: { pointerId: number; x: number; y: number; timer: ReturnType<typeof setTimeout>; isLong: boolean } | undefined
  const end = (): void => {
    clearTimeout(press?.timer)
    press = undefined
  }
  const start = ({ target, pointerType, isPrimary, pointerId, clientX: x, clientY: y }: PointerEvent): void => {
    end()
    // the link with `data-row-link` opens the whole item, so it is no control of its own
    const isControl = target instanceof Element && target.closest('button, input, a:not([data-row-link])') !== null
    const element = target instanceof Element && !isControl ? target.closest(selector) : null
    if (!element || pointerType !== 'touch' || !isPrimary) return
    const timer = setTimeout(() => {
      if (!press) return
      press.isLong = true
      window.getSelection()?.removeAllRanges()
      navigator.vibrate?.(10) // for 10 ms
      onLongPress(element)
    }, longPressMs)
    press = { pointerId, x, y, timer, isLong: false }
  }
  const move = ({ pointerId, clientX, clientY }: PointerEvent): void => {
    if (!press || press.pointerId !== pointerId || press.isLong) return
    if (Math.hypot(clientX - press.x, clientY - press.y) > maxMovePx) end()
  }
  const lift = ({ pointerId }: PointerEvent): void => {
    if (press?.pointerId !== pointerId) return
    if (press.isLong) preventNextClick()
    end()
  }
  box.addEventListener('pointerdown', start, { signal })
  window.addEventListener('pointermove', move, { signal })
  window.addEventListener('pointerup', lift, { signal })
  window.addEventListener('pointercancel', end, { signal })
  box.addEventListener('contextmenu', (event) => press && event.preventDefault(), { signal })
  box.style.setProperty('-webkit-touch-callout', 'none') // or Safari shows a preview of the link
  box.style.setProperty('-webkit-user-select', 'none')
  box.style.userSelect = 'none'
  return () => {
    listeners.abort()
    end()
  }
}

/** Prevents the click event that follows when the finger is lifted. A click that follows a further touch or key is not prevented. */
function preventNextClick(): void {
  const listeners = new AbortController()
  const end = (): void => listeners.abort()
  const options = { capture: true, signal: listeners.signal }
  const prevent = (event: MouseEvent): void => {
    event.preventDefault()
    event.stopPropagation()
    end()
  }
  window.addEventListener('click', prevent, options)
  window.addEventListener('pointerdown', end, options)
  window.addEventListener('keydown', end, options)
  setTimeout(end, clickDelayMs)
}
