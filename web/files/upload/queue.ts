// The queue of uploads. It runs outside of the screens, so that uploads continue while the user opens other pages.
import { uploadRoutes } from '#contract/uploads.ts'
import { call, isNotFound } from '#web/lib/client.ts'
import { formatCount } from '#web/lib/format.ts'
import { confirmClose } from '#web/lib/closeConfirmation.ts'
import { trackUnsavedWork } from '#web/lib/forms.ts'
import { queries, showsAnyTable, wasRequestedSince } from '#web/lib/queries.ts'
import { getUserId, listenForSessionEnd } from '#web/lib/session.ts'
import { toastError } from '#web/lib/toasts.ts'
import { storeInStep } from '#web/lib/undo.ts'
import { deleteSavedUploadsOfUser, stopSavingUploads } from './keepUploads.ts'
import { describeFailure, transferFile } from './transfer.ts'
import { isUploadLayerNeeded } from './uploadLayer.ts'
import {
  addToList,
  belongsToOtherBrowser,
  clearList,
  findUpload,
  listUploads,
  removeFromList,
  updateUpload,
  uploads,
  type UploadItem,
} from './uploadList.ts'

const maxRunningFiles = 3
/** The running uploads by their ids. The controller of an upload is aborted when the upload is paused or cancelled. */
const running = new Map<string, AbortController>()
/** The ids of the uploads that wait until fewer than `maxRunningFiles` run, in the order in which they start. */
const waiting = new Set<string>()

/**
 * Adds uploads; those with the status `waiting` start as soon as possible. If there are new uploads and all earlier ones are done, the
 * earlier ones leave the list.
 */
export function addUploads(items: readonly UploadItem[]): void {
  const earlier = listUploads()
  if (items.length > 0 && earlier.every(({ status }) => status === 'done')) removeFromList(earlier.map(({ id }) => id))
  isUploadLayerNeeded.set(true)
  addToList(items)
  protectUploadsInProgress() // before the first request, because its response may be that the session has ended
  for (const { id, status } of items) if (status === 'waiting') waiting.add(id)
  startNext()
}

/** Applies `change` to each upload, and then starts or continues it. Uploads whose file is not known do not start. */
export function startUploads(ids: Iterable<string>, change: Partial<UploadItem> = {}): void {
  for (const id of ids) {
    updateUpload(id, change)
    const controller = running.get(id)
    const isRunning = controller?.signal.aborted === false
    if (!findUpload(id)?.file || isRunning) continue
    updateUpload(id, { status: 'waiting', failure: undefined, taken: undefined })
    if (!controller) waiting.add(id) // otherwise the paused run is still ending, and `finishRun` then adds the id
  }
  startNext()
}

export function pauseUploads(ids: Iterable<string>): void {
  for (const id of ids) {
    if (!waiting.delete(id) && !running.has(id)) continue
    updateUpload(id, { status: 'paused' })
    running.get(id)?.abort(new Error('The upload was paused'))
  }
}

/** Stops uploads, deletes their stored parts and removes them from the list. Finished uploads are only removed from the list. */
export function cancelUploads(ids: Iterable<string>): void {
  for (const id of ids) {
    const item = findUpload(id)
    waiting.delete(id)
    running.get(id)?.abort(new Error('The upload was cancelled'))
    removeFromList([id])
    const isOnServer = item !== undefined && item.hasStarted && item.status !== 'done'
    if (isOnServer && !running.has(id)) void deleteOnServer(id)
  }
}

/** Removes all uploads from the list and stops those of this browser. Those that belong to other browsers may still be running there. */
export function closeUploads(items: readonly UploadItem[]): void {
  const [others, own] = [items.filter(belongsToOtherBrowser), items.filter((item) => !belongsToOtherBrowser(item))]
  removeFromList(others.map(({ id }) => id))
  cancelUploads(own.map(({ id }) => id))
}

let session = new AbortController()

/** Returns a signal that is aborted when the session ends, which stops all uploads of this tab. */
export const getSessionSignal = (): AbortSignal => session.signal

/** Stops all uploads of this tab without deleting their stored parts. */
export function stopAllUploads(): void {
  session.abort(new Error('The session has ended'))
  session = new AbortController()
  waiting.clear()
  for (const controller of running.values()) controller.abort(new Error('The session has ended'))
  running.clear()
  stopSavingUploads(listUploads().map(({ id }) => id))
  clearList()
}

function startNext(): void {
  for (const id of waiting) {
    if (running.size >= maxRunningFiles) return
    waiting.delete(id)
    const item = findUpload(id)
    if (item?.file) void run(item, item.file)
  }
}

async function run(item: UploadItem, file: File): Promise<void> {
  const { id } = item
  const controller = new AbortController()
  running.set(id, controller)
  updateUpload(id, { status: 'running' })
  try {
    const changeId = await transferFile({ ...item, file }, controller.signal)
    updateUpload(id, { status: 'done', sentBytes: item.size, file: undefined })
    storeDone(item, changeId)
  } catch (error) {
    if (!controller.signal.aborted) updateUpload(id, { status: 'failed', failure: await describeFailure(id, error) })
  }
  if (running.get(id) !== controller) return // the session has ended
  running.delete(id)
  await finishRun(id)
  startNext()
}

/** Stores the upload of a file for Undo, together with the other files of its drop. */
function storeDone({ dropId }: UploadItem, changeId: string | undefined): void {
  const doneCount = listUploads().filter((each) => each.dropId === dropId && each.status === 'done').length
  // at least 1, because the user may have removed the file from the list
  storeInStep(dropId, changeId, `${formatCount(Math.max(1, doneCount), 'file')} uploaded`)
}

/** Deletes an upload that was cancelled while it ran, queues one that was paused and continued, and refetches lists for a finished one. */
async function finishRun(id: string): Promise<void> {
  const item = findUpload(id)
  if (!item) await deleteOnServer(id)
  else if (item.status === 'waiting') waiting.add(id)
  else if (item.status === 'done') refreshSoon()
}

async function deleteOnServer(id: string): Promise<void> {
  try {
    await call(uploadRoutes.cancel, { params: { id } })
  } catch (error) {
    // the upload had not started on the server, or it is finished
    if (isNotFound(error)) return
    toastError(error, 'Error cancelling upload')
  }
}

/** The time from the first finished upload to the refetch. Uploads that finish in between share it. */
const refreshEveryMs = 3000
let refreshTimer: ReturnType<typeof setTimeout> | undefined
let lastFinished = 0

/** Refetches lists that no live event has refreshed since the upload, because a proxy may block the events. */
function refreshSoon(): void {
  lastFinished = performance.now()
  refreshTimer ??= setTimeout(() => {
    refreshTimer = undefined
    const showsFiles = showsAnyTable(['files', 'uploads'])
    void queries.invalidateQueries({ predicate: (query) => showsFiles(query) && !wasRequestedSince(query, lastFinished) })
  }, refreshEveryMs)
}

const inProgressStatuses = new Set<UploadItem['status']>(['preparing', 'asking', 'waiting', 'running', 'paused'])

/** Returns true for an upload of this page that has not ended, so that it would stop if the page was closed. */
export const isInProgress = ({ status }: UploadItem): boolean => inProgressStatuses.has(status)

let stopTracking: (() => void) | undefined

/** While files are uploaded, the browser asks before it closes the page, and the end of the session opens the password dialog. */
function protectUploadsInProgress(): void {
  const hasUploadsInProgress = listUploads().some(isInProgress)
  if (hasUploadsInProgress === (stopTracking !== undefined)) return
  stopTracking?.()
  stopTracking = hasUploadsInProgress ? trackUploadsInProgress() : undefined
}

uploads.subscribe(protectUploadsInProgress)

function trackUploadsInProgress(): () => void {
  const stops = [trackUnsavedWork(), confirmClose()]
  return () => {
    for (const stop of stops) stop()
  }
}

listenForSessionEnd(({ isSignOut }) => {
  stopAllUploads()
  if (isSignOut) void deleteSavedUploadsOfUser(getUserId())
})

// restarts the uploads that failed because the connection was lost for longer than all retries take
globalThis.addEventListener('online', () => {
  const offlineUploads = uploads.get().filter(({ failure }) => failure?.reason === 'offline')
  startUploads(offlineUploads.map(({ id }) => id))
})
