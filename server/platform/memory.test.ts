import { expect, test } from 'vitest'
import { releaseMemoryWhenIdle } from './memory.ts'

test('memory that is no longer used is returned to the system', async () => {
  releaseMemoryWhenIdle({ everyMs: 500 })
  const before = process.memoryUsage.rss()
  const needed = Array.from({ length: 1_000_000 }, (_, number) => ({ number }))
  expect(process.memoryUsage.rss() - before).toBeGreaterThan(40_000_000)
  needed.length = 0
  // V8's memory reducer would run after eight seconds, and only if memory is allocated
  await expect.poll(() => process.memoryUsage.rss() - before, { interval: 250, timeout: 4000 }).toBeLessThan(20_000_000)
})
