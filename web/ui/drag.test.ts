import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchDrag } from './drag.ts'

const box = document.createElement('div')
const card = document.createElement('a')
card.dataset['card'] = ''
card.href = '#followed'
box.append(card)

const calls: string[] = []
let stop: () => void
let starts = true

beforeEach(() => {
  vi.useFakeTimers()
  document.body.append(box)
  vi.spyOn(box, 'getBoundingClientRect').mockReturnValue(new DOMRect(-500, 0, 1000, 300))
  starts = true
  calls.length = 0
  stop = watchDrag(box, {
    selector: '[data-card]',
    onStart: () => {
      calls.push('start')
      return starts
    },
    onMove: ({ x }) => void calls.push(`move ${x}`),
    onDrop: ({ x }) => void calls.push(`drop ${x}`),
    onCancel: () => void calls.push('cancel'),
  })
})
afterEach(() => {
  stop()
  vi.useRealTimers()
  box.remove()
})

const send = (name: string, clientX: number, pointerType: string, on: EventTarget = window): void => {
  const event = new PointerEvent(name, {
    bubbles: true,
    cancelable: true,
    clientX,
    clientY: 0,
    pointerType,
    pointerId: 1,
    isPrimary: true,
    button: 0,
  })
  on.dispatchEvent(event)
}
const mouse = (name: string, x: number, on?: EventTarget): void => send(name, x, 'mouse', on)
const finger = (name: string, x: number, on?: EventTarget): void => send(name, x, 'touch', on)
const isPrevented = (event: Event): boolean => !card.dispatchEvent(event)
const cancelable = { bubbles: true, cancelable: true }

test('a mouse starts a drag after 5 px, and the click after the drag does not open the link', () => {
  mouse('pointerdown', 10, card)
  mouse('pointermove', 13)
  expect(calls).toEqual([])
  mouse('pointermove', 18)
  mouse('pointermove', 30)
  mouse('pointerup', 30)
  expect(calls).toEqual(['start', 'move 30', 'drop 30'])
  expect(isPrevented(new MouseEvent('click', cancelable))).toBe(true)
  vi.advanceTimersByTime(60)
  const follow = vi.fn<(event: Event) => void>((event) => event.preventDefault())
  card.addEventListener('click', follow, { once: true })
  card.click()
  expect(follow).toHaveBeenCalled()
})

test('a press without movement is a click', () => {
  mouse('pointerdown', 10, card)
  mouse('pointerup', 11)
  mouse('pointermove', 90)
  expect(calls).toEqual([])
})

test('a touch starts a drag after a hold; then the page does not scroll and no context menu opens', () => {
  finger('pointerdown', 10, card)
  expect(isPrevented(new Event('touchmove', cancelable))).toBe(false)
  vi.advanceTimersByTime(260)
  expect(calls).toEqual(['start'])
  expect(isPrevented(new Event('touchmove', cancelable))).toBe(true)
  expect(isPrevented(new Event('contextmenu', cancelable))).toBe(true)
  finger('pointermove', 40)
  finger('pointerup', 40)
  expect(calls).toEqual(['start', 'move 40', 'drop 40'])
})

test('a touch that moves immediately scrolls the page', () => {
  finger('pointerdown', 10, card)
  finger('pointermove', 30)
  vi.advanceTimersByTime(400)
  finger('pointermove', 60)
  expect(calls).toEqual([])
  expect(isPrevented(new Event('touchmove', cancelable))).toBe(false)
})

test.each([
  ['Escape', () => card.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', ...cancelable }))],
  ['a pointercancel event', () => mouse('pointercancel', 30)],
])('%s cancels the drag', (_, cancel) => {
  mouse('pointerdown', 10, card)
  mouse('pointermove', 30)
  cancel()
  mouse('pointermove', 50)
  mouse('pointerup', 50)
  expect(calls).toEqual(['start', 'cancel'])
})

test('the box scrolls near its edges, and onMove is called again', () => {
  mouse('pointerdown', 10, card)
  mouse('pointermove', 30)
  mouse('pointermove', 490)
  vi.advanceTimersByTime(100)
  const scrolled = box.scrollLeft
  expect(scrolled).toBeGreaterThan(20)
  expect(calls.at(-1)).toBe('move 490')
  mouse('pointermove', -490)
  vi.advanceTimersByTime(100)
  expect(box.scrollLeft).toBeLessThan(scrolled)
  mouse('pointerup', -490)
})

test('an element that onStart refuses is not dragged', () => {
  starts = false
  mouse('pointerdown', 10, card)
  mouse('pointermove', 30)
  mouse('pointerup', 30)
  expect(calls).toEqual(['start'])
})
