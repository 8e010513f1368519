import { formatFileSize, formatNumber } from '#web/lib/format.ts'
import { createStore } from '#web/lib/store.ts'
import { uploads, type UploadItem } from './uploadList.ts'

/** The mean speed of all uploads during the last seconds, and the time until they are done. Undefined while the speed is not known. */
export const uploadSpeed = createStore<{ bytesPerSecond: number; secondsLeft: number } | undefined>(undefined)

/** The progress of all uploads that were not cancelled. */
export type UploadTotals = {
  count: number
  bytes: number
  sentBytes: number
  /** The bytes for the progress on the screen, which does not decrease while a part is sent again. */
  shownBytes: number
  countByStatus: Record<UploadItem['status'], number>
}

export function computeTotals(items: readonly UploadItem[]): UploadTotals {
  const countByStatus: UploadTotals['countByStatus'] = {
    preparing: 0,
    asking: 0,
    waiting: 0,
    running: 0,
    paused: 0,
    done: 0,
    failed: 0,
    unfinished: 0,
  }
  let [bytes, sentBytes, shownBytes] = [0, 0, 0]
  for (const item of items) {
    countByStatus[item.status] += 1
    bytes += item.size
    sentBytes += item.sentBytes
    shownBytes += item.shownBytes
  }
  return { count: items.length, bytes, sentBytes, shownBytes, countByStatus }
}

/** Returns the progress of an upload in percent. It is 100 only when the file is done. */
export function computePercent({ shownBytes, size, status }: UploadItem): number {
  if (status === 'done') return 100
  return size === 0 ? 0 : Math.min(99, Math.floor((shownBytes / size) * 100))
}

const sampleEveryMs = 500
/** The speed is the mean over this time. It is unknown until the samples span `minWindowMs`. */
const windowMs = 8000
const minWindowMs = 1500
/**
 * The requests of a file take about as long as sending this number of bytes. They count as work too, because otherwise many small files at
 * the beginning would give a very low speed, and a time left of days.
 */
const requestBytes = 128 * 1024

type Sample = { at: number; sentBytes: number; doneCount: number }
let samples: Sample[] = []
let timer: ReturnType<typeof setInterval> | undefined

// the speed is measured only while uploads run, so that a pause does not lower it
uploads.subscribe(() => {
  const isRunning = uploads.get().some(({ status }) => status === 'running')
  if (isRunning === (timer !== undefined)) return
  if (isRunning) {
    timer = setInterval(sample, sampleEveryMs)
    return sample()
  }
  clearInterval(timer)
  timer = undefined
  samples = []
  uploadSpeed.set(undefined)
})

function sample(): void {
  const now = performance.now()
  const items = uploads.get()
  const { sentBytes, countByStatus } = computeTotals(items)
  const hasDecreased = sentBytes < (samples.at(-1)?.sentBytes ?? 0) // an upload was cancelled, or a part is sent again
  samples = hasDecreased ? [] : samples.filter(({ at }) => at > now - windowMs)
  samples.push({ at: now, sentBytes, doneCount: countByStatus.done })
  uploadSpeed.set(computeSpeed(items))
}

function computeSpeed(items: readonly UploadItem[]): { bytesPerSecond: number; secondsLeft: number } | undefined {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.at - first.at < minWindowMs) return undefined
  const seconds = (last.at - first.at) / 1000
  const sentBytes = last.sentBytes - first.sentBytes
  const remaining = computeTotals(items.filter(({ status }) => ['preparing', 'waiting', 'running'].includes(status)))
  // work is measured in bytes, and each file adds `requestBytes`
  const workPerSecond = (sentBytes + (last.doneCount - first.doneCount) * requestBytes) / seconds
  const workLeft = remaining.bytes - remaining.sentBytes + remaining.count * requestBytes
  return { bytesPerSecond: Math.round(sentBytes / seconds), secondsLeft: workLeft / workPerSecond }
}

/** Formats the remaining time: "33 s left", "about 5 min left". */
export function formatTimeLeft(seconds: number): string {
  if (!Number.isFinite(seconds)) return ''
  if (seconds < 59.5) return `${Math.max(1, Math.round(seconds))} s left`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `about ${minutes} min left`
  return `about ${formatNumber(Math.round(minutes / 60))} h left`
}

/** Formats the sent part of a number of bytes: "212.0 of 486.3 MB", "912 B of 2.4 MB". */
export function formatSentBytes(sentBytes: number, bytes: number): string {
  const [sent = '', unit] = formatFileSize(sentBytes).split(' ')
  const whole = formatFileSize(bytes)
  return whole.endsWith(` ${unit}`) ? `${sent} of ${whole}` : `${sent} ${unit} of ${whole}`
}
