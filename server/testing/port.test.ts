import { expect, test } from 'vitest'
import { findFreePort } from './port.ts'

test('free ports are outside of the range from which systems take the ports of outgoing connections', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, findFreePort))
  expect(Math.min(...ports)).toBeGreaterThanOrEqual(10_000)
  expect(Math.max(...ports)).toBeLessThan(32_000)
})
