import { storageRoutes } from '#contract/storage.ts'
import { call } from '#web/lib/client.ts'
import { formatCount, formatFileSize, formatNumber } from '#web/lib/format.ts'
import { listUploads, type UploadItem } from './uploadList.ts'

/** Returns the number of bytes that the account may still store; undefined if the request fails. */
export const readFreeBytes = (signal?: AbortSignal): Promise<number | undefined> =>
  call(storageRoutes.get, {}, signal && { signal }).then(
    ({ quota_bytes: quota, used_bytes: used }) => Math.max(0, quota - used),
    () => undefined,
  )

/** Returns a sentence that says why the account has no space for these new uploads; undefined if it has space or the request fails. */
export async function findLackOfSpace(items: readonly UploadItem[], signal: AbortSignal): Promise<string | undefined> {
  const [first] = items
  if (!first) return undefined
  const serverFree = await readFreeBytes(signal)
  if (serverFree === undefined) return undefined
  const ids = new Set(items.map(({ id }) => id))
  // uploads that wait in this tab; the server already counts those that have started
  const earlier = listUploads().filter(({ id, hasStarted, file }) => !ids.has(id) && !hasStarted && file)
  const free = Math.max(0, serverFree - sumSizes(earlier))
  const needed = sumSizes(items)
  if (needed <= free) return undefined
  const subject = items.length === 1 ? `“${first.name}” needs` : `These ${formatCount(items.length, 'file')} need`
  return `${describeLackOfSpace(subject, needed, free)}.`
}

/** Returns a text such as "Needs 5.2 GB; 3.1 GB are free". Shows exact numbers of bytes if the two sizes would look equal. */
export function describeLackOfSpace(subject: string, needed: number, free: number): string {
  const format = formatFileSize(needed) === formatFileSize(free) ? formatBytes : formatFileSize
  return `${subject} ${format(needed)}; ${format(free)} ${free === 1 ? 'is' : 'are'} free`
}

const formatBytes = (bytes: number): string => `${formatNumber(bytes)} bytes`

const sumSizes = (items: readonly UploadItem[]): number => items.reduce((sum, { size }) => sum + size, 0)
