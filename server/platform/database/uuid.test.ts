import { afterEach, expect, test, vi } from 'vitest'
import { newId } from './uuid.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('an id is a UUID of version 7 with the time of its creation', () => {
  const id = newId()
  expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  expect(Math.abs(parseInt(id.slice(0, 13).replace('-', ''), 16) - Date.now())).toBeLessThan(1000)
})

test('ids sort in the order in which they were created, also within a millisecond and after the clock was set back', () => {
  vi.useFakeTimers({ now: Date.now() })
  const ids = Array.from({ length: 10_000 }, () => newId())
  vi.setSystemTime(Date.now() - 60_000)
  ids.push(newId(), newId())
  expect(ids).toEqual(ids.toSorted())
  expect(new Set(ids).size).toBe(ids.length)
})
