import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchDrag } from './drag.ts'

const box = document.createElement('div')
const thing = document.createElement('a')
thing.dataset['thing'] = ''
thing.href = '#followed'
box.append(thing)

const told: string[] = []
let stop: () => void
let starts = true

beforeEach(() => {
  vi.useFakeTimers()
  document.body.append(box)
  vi.spyOn(box, 'getBoundingClientRect').mockReturnValue(new DOMRect(-500, 0, 1000, 300))
  starts = true
  told.length = 0
  stop = watchDrag(box, {
    selector: '[data-thing]',
    onStart: () => {
      told.push('start')
      return starts
    },
    onMove: ({ x }) => void told.push(`move ${x}`),
    onDrop: ({ x }) => void told.push(`drop ${x}`),
    onCancel: () => void told.push('cancel'),
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
const isTaken = (event: Event): boolean => !thing.dispatchEvent(event)
const cancelable = { bubbles: true, cancelable: true }

test('a mouse drags after a few pixels, and the click behind it follows no link', () => {
  mouse('pointerdown', 10, thing)
  mouse('pointermove', 13)
  expect(told).toEqual([])
  mouse('pointermove', 18)
  mouse('pointermove', 30)
  mouse('pointerup', 30)
  expect(told).toEqual(['start', 'move 30', 'drop 30'])
  expect(isTaken(new MouseEvent('click', cancelable))).toBe(true)
  vi.advanceTimersByTime(60)
  const follow = vi.fn<(event: Event) => void>((event) => event.preventDefault())
  thing.addEventListener('click', follow, { once: true })
  thing.click()
  expect(follow).toHaveBeenCalled()
})

test('a press without a way is a click', () => {
  mouse('pointerdown', 10, thing)
  mouse('pointerup', 11)
  mouse('pointermove', 90)
  expect(told).toEqual([])
})

test('a finger drags after a hold, keeps the page from scrolling then, and gets no menu', () => {
  finger('pointerdown', 10, thing)
  expect(isTaken(new Event('touchmove', cancelable))).toBe(false)
  vi.advanceTimersByTime(260)
  expect(told).toEqual(['start'])
  expect(isTaken(new Event('touchmove', cancelable))).toBe(true)
  expect(isTaken(new Event('contextmenu', cancelable))).toBe(true)
  finger('pointermove', 40)
  finger('pointerup', 40)
  expect(told).toEqual(['start', 'move 40', 'drop 40'])
})

test('a finger that goes its way at once scrolls', () => {
  finger('pointerdown', 10, thing)
  finger('pointermove', 30)
  vi.advanceTimersByTime(400)
  finger('pointermove', 60)
  expect(told).toEqual([])
  expect(isTaken(new Event('touchmove', cancelable))).toBe(false)
})

test.each([
  ['Escape', () => thing.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', ...cancelable }))],
  ['a pointer that the browser takes away', () => mouse('pointercancel', 30)],
])('%s lets go', (_, letGo) => {
  mouse('pointerdown', 10, thing)
  mouse('pointermove', 30)
  letGo()
  mouse('pointermove', 50)
  mouse('pointerup', 50)
  expect(told).toEqual(['start', 'cancel'])
})

test('near its sides the box scrolls along, and what is under the pointer is told again', () => {
  mouse('pointerdown', 10, thing)
  mouse('pointermove', 30)
  mouse('pointermove', 490)
  vi.advanceTimersByTime(100)
  const scrolled = box.scrollLeft
  expect(scrolled).toBeGreaterThan(20)
  expect(told.at(-1)).toBe('move 490')
  mouse('pointermove', -490)
  vi.advanceTimersByTime(100)
  expect(box.scrollLeft).toBeLessThan(scrolled)
  mouse('pointerup', -490)
})

test('what may not be dragged stays', () => {
  starts = false
  mouse('pointerdown', 10, thing)
  mouse('pointermove', 30)
  mouse('pointerup', 30)
  expect(told).toEqual(['start'])
})
