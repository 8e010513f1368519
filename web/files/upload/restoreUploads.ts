import { uploadRoutes, type Upload } from '#contract/uploads.ts'
import { call, isNotFound } from '#web/lib/client.ts'
import { getUserId } from '#web/lib/session.ts'
import { createTabChannel } from '#web/lib/tabChannel.ts'
import { markAsSaved, stopSavingUploads } from './keepUploads.ts'
import { addUploads, getSessionSignal } from './queue.ts'
import { findDropsWithHandles } from './savedHandles.ts'
import { deleteSavedUploads, readSavedUploads, type SavedUpload } from './savedUploads.ts'
import { hasSavedUploads } from './uploadLayer.ts'
import { listUploads, removeFromList, updateUpload, uploads, type UploadItem } from './uploadList.ts'

/** The server deletes unfinished uploads after this time. */
const maxAgeMs = 7 * 24 * 60 * 60 * 1000
/** The time to wait for the messages of other tabs about the uploads that they run. */
const tabResponseMs = 300

/** `ask` asks the other tabs for their uploads. `running` are the ids of uploads that the sending tab runs. */
type Message = { ask?: true; running?: string[] }
const tabs = createTabChannel<Message>('foyer-uploads')
/** The ids of the uploads that other tabs run. */
let runningInOtherTabs = new Set<string>()
/** The running or finished call of `restore`, and the signal of the session in which it was called. */
let restored: Promise<void> | undefined
let restoredSession: AbortSignal | undefined

/**
 * Shows the unfinished uploads of earlier visits and of other browsers, once after each load of the page and each sign-in. Never rejects.
 */
export function restoreUploads(): Promise<void> {
  const user = getUserId()
  if (user === undefined) return Promise.resolve()
  if (restoredSession !== getSessionSignal()) restored = undefined
  restoredSession = getSessionSignal()
  restored ??= restore(user, restoredSession)
  return restored
}

/** The ids that this tab has already sent to the other tabs. */
const sentIds = new Set<string>()

// tells the other tabs which uploads this tab runs
uploads.subscribe(() => {
  const running = listRunning().filter((id) => !sentIds.has(id))
  for (const id of running) sentIds.add(id)
  if (running.length > 0) tabs.send({ running })
})

// subscribed when this module is loaded, and not in a component, because screens restore uploads before the panel is loaded
tabs.subscribe(({ ask, running }) => {
  if (ask) tabs.send({ running: listRunning() })
  if (running) hideUploads(running)
})

/** Returns the ids of the uploads that run in this tab or have ended in it. No other tab may show them as unfinished. */
const listRunning = (): string[] =>
  listUploads()
    .filter(({ status }) => status !== 'unfinished')
    .map(({ id }) => id)

/** Removes unfinished uploads from the list of this tab, because another tab runs them. */
function hideUploads(ids: readonly string[]): void {
  runningInOtherTabs = new Set([...runningInOtherTabs, ...ids])
  const shown = listUploads().filter(({ id, status }) => status === 'unfinished' && runningInOtherTabs.has(id))
  stopSavingUploads(shown.map(({ id }) => id))
  removeFromList(shown.map(({ id }) => id))
}

/** Adds the unfinished uploads that this browser has saved, and those that only the server knows, to the list of this tab. */
async function restore(userId: string, signal: AbortSignal): Promise<void> {
  const askingTabs = hasSavedUploads() ? askOtherTabs() : undefined
  const [saved, unfinishedOnServer] = await Promise.all([readSavedUploads(), readUnfinishedUploads(), askingTabs])
  const isOld = ({ savedAt }: SavedUpload): boolean => savedAt < Date.now() - maxAgeMs
  await deleteSavedUploads(saved.filter(isOld).map(({ id }) => id))
  /** The ids of the uploads that this tab already shows or that another tab runs. */
  const knownIds = new Set([...listUploads().map(({ id }) => id), ...runningInOtherTabs])
  /** The ids of the drops with a file that another tab is uploading. That tab uploads the other files of these drops too. */
  const runningDrops = new Set(saved.filter(({ id }) => runningInOtherTabs.has(id)).map(({ dropId }) => dropId))
  /** The uploads of this user that were saved in an earlier visit. */
  const own = saved.filter(
    (upload) => upload.user === userId && !isOld(upload) && !knownIds.has(upload.id) && !runningDrops.has(upload.dropId),
  )
  const savedIds = new Set(saved.map(({ id }) => id))
  /** The uploads that another browser began, or that this browser could not save. */
  const others = unfinishedOnServer.filter(({ id }) => !savedIds.has(id) && !knownIds.has(id))
  const unfinishedById = new Map(unfinishedOnServer.map((upload) => [upload.id, upload]))
  /** The ids of the drops whose files the browser can read again. */
  const reopenable = saved.length === 0 ? new Set<string>() : await findDropsWithHandles(listDropIds([...saved, ...listUploads()]))
  const items = own.map((upload) => ({ ...toItem(upload, unfinishedById.get(upload.id)), hasHandle: reopenable.has(upload.dropId) }))
  if (signal.aborted) return // the next user of this browser must not see these uploads
  markAsSaved(items)
  const added = [...items, ...others.map(toOtherItem)]
  if (added.length > 0) addUploads(added)
  for (const { id, hasStarted, status } of items) if (hasStarted && status !== 'done' && !unfinishedById.has(id)) await checkUpload(id)
}

const listDropIds = (items: readonly { dropId: string }[]): Set<string> => new Set(items.map(({ dropId }) => dropId))

async function askOtherTabs(): Promise<void> {
  tabs.send({ ask: true })
  await new Promise((resolve) => setTimeout(resolve, tabResponseMs))
}

/** Returns the unfinished uploads of the server; none when they cannot be read, because the upload of new files does not need them. */
const readUnfinishedUploads = (): Promise<Upload[]> =>
  call(uploadRoutes.list, {}).then(
    ({ rows }) => rows,
    () => [],
  )

/** Converts a saved upload. `uploadOnServer` is the same upload on the server, if it is unfinished there. */
function toItem(saved: SavedUpload, uploadOnServer: Upload | undefined): UploadItem {
  const { id, dropId, root, place, path, name, size, lastModified, ifExists, hasStarted, failure, isDone } = saved
  const fields = { id, dropId, root, place, path, name, size, lastModified, ifExists, hasStarted, failure }
  const sentBytes = isDone ? size : countStoredBytes(uploadOnServer)
  return { ...fields, status: isDone ? 'done' : 'unfinished', sentBytes, shownBytes: sentBytes, origin: 'earlier visit' }
}

/** Converts an upload of another browser, which is known only from the server. */
function toOtherItem(upload: Upload): UploadItem {
  const { id, folder_id, contact_id, file_name: name, file_size: size, if_exists: ifExists } = upload
  const place = { folder_id, contact_id }
  const fields = { dropId: id, root: place, place, path: name, name, size, lastModified: 0, ifExists, hasStarted: true } as const
  const sentBytes = countStoredBytes(upload)
  return { id, ...fields, status: 'unfinished', sentBytes, shownBytes: sentBytes, origin: 'other browser' }
}

/** Counts the bytes of the parts that the server has stored. The last part may be shorter than the others. */
const countStoredBytes = (upload: Upload | undefined): number =>
  upload ? upload.parts.reduce((sum, number) => sum + Math.min(upload.part_size, upload.file_size - number * upload.part_size), 0) : 0

/** Called for an upload that the server does not list as unfinished. Finds out whether it was finished or deleted. */
async function checkUpload(id: string): Promise<void> {
  try {
    const upload = await call(uploadRoutes.get, { params: { id } })
    if (upload.file_id !== null) updateUpload(id, { status: 'done', sentBytes: upload.file_size, failure: undefined })
  } catch (error) {
    if (isNotFound(error)) updateUpload(id, { hasStarted: false })
  }
}
