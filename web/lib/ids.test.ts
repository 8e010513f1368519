import { expect, test } from 'vitest'
import { newId } from './ids.ts'

test('newId creates unique UUIDs of version 7 that contain the current time', () => {
  const before = Date.now()
  const ids = Array.from({ length: 1000 }, newId)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  // the first 48 bits, which are 12 hexadecimal digits, are the time in ms
  const timeInId = Number.parseInt(ids[0]?.replace('-', '').slice(0, 12) ?? '', 16)
  expect(timeInId).toBeGreaterThanOrEqual(before)
  expect(timeInId).toBeLessThanOrEqual(Date.now())
  expect(new Set(ids).size).toBe(1000)
})
