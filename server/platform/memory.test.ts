import { expect, test } from 'vitest'
import { releaseMemoryWhenIdle } from './memory.ts'

test('memory that was needed for a moment goes back to the system', async () => {
  releaseMemoryWhenIdle({ everyMs: 500 })
  const before = process.memoryUsage.rss()
  const needed = Array.from({ length: 1_000_000 }, (_, number) => ({ number }))
  expect(process.memoryUsage.rss() - before).toBeGreaterThan(40_000_000)
  needed.length = 0
  // V8's own reducer looks after eight seconds, and not at all when nothing is allocated
  await expect.poll(() => process.memoryUsage.rss() - before, { interval: 250, timeout: 4000 }).toBeLessThan(20_000_000)
})
