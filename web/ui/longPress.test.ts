import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listenForLongPress } from './longPress.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Presses a link for 400 ms. `touch` sends a pointer event to the link. `click` returns false if the click must not open the link. */
function hold() {
  document.body.innerHTML = '<ul><li><a href="#wall" data-row-link>Wall.txt</a></li></ul>'
  const [box, link] = [document.querySelector('ul'), document.querySelector('a')]
  if (!box || !link) throw new Error('The list is missing')
  const onLongPress = vi.fn<(element: Element) => void>()
  listenForLongPress(box, 'li', onLongPress)
  const touch = (type: string): boolean =>
    link.dispatchEvent(new PointerEvent(type, { pointerType: 'touch', pointerId: 1, isPrimary: true, bubbles: true }))
  const click = (): boolean => link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
  touch('pointerdown')
  vi.advanceTimersByTime(400)
  touch('pointerup')
  expect(onLongPress).toHaveBeenCalledOnce()
  return { touch, click }
}

test('the click after a long press opens no link, even if a slow phone sends the click late', () => {
  const { click } = hold()
  vi.advanceTimersByTime(300)
  expect(click()).toBe(false)
  expect(click()).toBe(true)
})

test('the click of the next touch opens the link', () => {
  const { touch, click } = hold()
  touch('pointerdown')
  touch('pointerup')
  expect(click()).toBe(true)
})
