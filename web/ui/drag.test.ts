import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { enableDragging } from './drag.ts'

const box = document.createElement('div')
const card = document.createElement('a')
card.dataset['card'] = ''
card.href = '#followed'
box.append(card)

const calls: string[] = []
let disableDragging: () => void
let canStart = true

beforeEach(() => {
  vi.useFakeTimers()
  document.body.append(box)
  // the edges of the box are at -500 and 500 horizontally, and at -150 and 150 vertically
  vi.spyOn(box, 'getBoundingClientRect').mockReturnValue(new DOMRect(-500, -150, 1000, 300))
  canStart = true
  calls.length = 0
  disableDragging = enableDragging(box, {
    selector: '[data-card]',
    onStart: () => {
      calls.push('start')
      return canStart
    },
    onMove: ({ x }) => void calls.push(`move ${x}`),
    onDrop: ({ x }) => void calls.push(`drop ${x}`),
    onCancel: () => void calls.push('cancel'),
  })
})
afterEach(() => {
  disableDragging()
  vi.runOnlyPendingTimers() // after a drag, clicks are prevented until a timer ends
  vi.useRealTimers()
  box.remove()
})

const sendPointerEvent = (name: string, clientX: number, pointerType: string, target: EventTarget = window, clientY = 0): void => {
  const event = new PointerEvent(name, {
    bubbles: true,
    cancelable: true,
    clientX,
    clientY,
    pointerType,
    pointerId: 1,
    isPrimary: true,
    button: 0,
  })
  target.dispatchEvent(event)
}
/** Sends a pointer event at the horizontal position `x` in px, by default to the window. */
const sendMouse = (name: string, x: number, target?: EventTarget): void => sendPointerEvent(name, x, 'mouse', target)
const sendTouch = (name: string, x: number, target?: EventTarget): void => sendPointerEvent(name, x, 'touch', target)
/** Sends an event to the card. Returns true when its default action was prevented. */
const isPrevented = (event: Event): boolean => !card.dispatchEvent(event)
const cancelable = { bubbles: true, cancelable: true }

test('a mouse starts a drag after 5 px, and the click after the drag does not open the link', () => {
  sendMouse('pointerdown', 10, card)
  sendMouse('pointermove', 13)
  expect(calls).toEqual([])
  sendMouse('pointermove', 18)
  sendMouse('pointermove', 30)
  sendMouse('pointerup', 30)
  expect(calls).toEqual(['start', 'move 30', 'drop 30'])
  expect(isPrevented(new MouseEvent('click', cancelable))).toBe(true)
  vi.advanceTimersByTime(60) // clicks are suppressed for 50 ms after a drag
  const follow = vi.fn<(event: Event) => void>((event) => event.preventDefault())
  card.addEventListener('click', follow, { once: true })
  card.click()
  expect(follow).toHaveBeenCalled()
})

test('a press that is released before it moves 5 px starts no drag', () => {
  sendMouse('pointerdown', 10, card)
  sendMouse('pointerup', 11)
  sendMouse('pointermove', 90)
  expect(calls).toEqual([])
})

test('a touch that is held starts a drag, and then the page does not scroll and no context menu opens', () => {
  sendTouch('pointerdown', 10, card)
  expect(isPrevented(new Event('touchmove', cancelable))).toBe(false)
  vi.advanceTimersByTime(260) // a drag starts after 250 ms
  expect(calls).toEqual(['start'])
  expect(isPrevented(new Event('touchmove', cancelable))).toBe(true)
  expect(isPrevented(new Event('contextmenu', cancelable))).toBe(true)
  sendTouch('pointermove', 40)
  sendTouch('pointerup', 40)
  expect(calls).toEqual(['start', 'move 40', 'drop 40'])
})

test('a touch that moves immediately scrolls the page', () => {
  sendTouch('pointerdown', 10, card)
  sendTouch('pointermove', 30)
  vi.advanceTimersByTime(400)
  sendTouch('pointermove', 60)
  expect(calls).toEqual([])
  expect(isPrevented(new Event('touchmove', cancelable))).toBe(false)
})

test.each([
  ['Escape', () => card.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', ...cancelable }))],
  ['a pointercancel event', () => sendMouse('pointercancel', 30)],
])('%s cancels the drag', (_name, cancel) => {
  sendMouse('pointerdown', 10, card)
  sendMouse('pointermove', 30)
  cancel()
  sendMouse('pointermove', 50)
  sendMouse('pointerup', 50)
  expect(calls).toEqual(['start', 'cancel'])
})

test('while the pointer is near the right or left edge, the box scrolls in that direction and calls onMove', () => {
  sendMouse('pointerdown', 10, card)
  sendMouse('pointermove', 30)
  sendMouse('pointermove', 490)
  vi.advanceTimersByTime(100)
  const scrollLeftBefore = box.scrollLeft
  expect(scrollLeftBefore).toBeGreaterThan(20)
  expect(calls.at(-1)).toBe('move 490')
  sendMouse('pointermove', -490)
  vi.advanceTimersByTime(100)
  expect(box.scrollLeft).toBeLessThan(scrollLeftBefore)
  sendMouse('pointerup', -490)
})

test('while the pointer is near the lower edge, the box scrolls down, and near the upper edge, it scrolls up', () => {
  sendMouse('pointerdown', 10, card)
  sendPointerEvent('pointermove', 10, 'mouse', window, 140)
  vi.advanceTimersByTime(100)
  const scrollTopBefore = box.scrollTop
  expect(scrollTopBefore).toBeGreaterThan(20)
  sendPointerEvent('pointermove', 10, 'mouse', window, -140)
  vi.advanceTimersByTime(100)
  expect(box.scrollTop).toBeLessThan(scrollTopBefore)
  sendMouse('pointerup', 10)
})

test('an element that onStart refuses is not dragged', () => {
  canStart = false
  sendMouse('pointerdown', 10, card)
  sendMouse('pointermove', 30)
  sendMouse('pointerup', 30)
  expect(calls).toEqual(['start'])
})
