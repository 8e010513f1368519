import { expect, test } from 'vitest'
import { releaseMemoryWhenIdle } from './memory.ts'

test('an idle process returns unused memory to the operating system', async () => {
  releaseMemoryWhenIdle({ everyMs: 500 })
  const before = process.memoryUsage.rss()
  const objects = Array.from({ length: 1_000_000 }, (_, number) => ({ number }))
  expect(process.memoryUsage.rss() - before).toBeGreaterThan(40_000_000)
  objects.length = 0
  // the timeout is shorter than the eight seconds after which V8 itself might release the memory
  await expect.poll(() => process.memoryUsage.rss() - before, { interval: 250, timeout: 4000 }).toBeLessThan(20_000_000)
})
