import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { uploadSpeed } from './progress.ts'
import { uploads, type UploadItem } from './uploadList.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  uploads.set([])
  vi.useRealTimers()
})

const place = { folder_id: null, contact_id: null }

function createItem(id: string, fields: Partial<UploadItem>): UploadItem {
  const file = { id, dropId: 'drop', root: place, place, path: id, name: id, lastModified: 0, ifExists: 'keep_both' } as const
  return { ...file, size: 16, sentBytes: 0, shownBytes: 0, status: 'waiting', hasStarted: true, ...fields }
}

/** Sets 30 small files, of which `doneCount` are uploaded and one is running, and a big file that waits behind them. */
function setUploads(doneCount: number): void {
  const small = Array.from({ length: 30 }, (_, index) =>
    createItem(
      `sheet ${index}`,
      index < doneCount ? { status: 'done', sentBytes: 16 } : { status: index === doneCount ? 'running' : 'waiting' },
    ),
  )
  uploads.set([...small, createItem('walkthrough.mp4', { size: 30_000_000 })])
}

test('when an upload begins with small files, the time left for a big file behind them is less than ten minutes', () => {
  for (let second = 0; second < 6; second += 1) {
    setUploads(second * 2) // two small files are uploaded each second
    vi.advanceTimersByTime(1000)
  }
  // at the speed of the small files, 32 bytes per second, the big file would need eleven days
  const secondsLeft = uploadSpeed.get()?.secondsLeft ?? Infinity
  expect(secondsLeft).toBeGreaterThan(10)
  expect(secondsLeft).toBeLessThan(600)
})

test('the time left of big files follows from the speed', () => {
  for (let second = 0; second < 6; second += 1) {
    uploads.set([createItem('walkthrough.mp4', { size: 60_000_000, sentBytes: second * 1_000_000, status: 'running' })])
    vi.advanceTimersByTime(1000)
  }
  const { bytesPerSecond = 0, secondsLeft = 0 } = uploadSpeed.get() ?? {}
  // 5 of 60 million bytes were sent
  expect(secondsLeft / (55_000_000 / bytesPerSecond)).toBeCloseTo(1)
})

test('the speed is a whole number of bytes', () => {
  for (let second = 0; second < 3; second += 1) {
    uploads.set([createItem('notes.txt', { size: 1000, sentBytes: second * 7, status: 'running' })])
    vi.advanceTimersByTime(1100)
  }
  const speed = uploadSpeed.get()?.bytesPerSecond ?? 0
  expect(speed).toBeGreaterThan(0)
  expect(Number.isInteger(speed)).toBe(true)
})
