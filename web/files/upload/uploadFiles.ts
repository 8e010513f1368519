import { cleanFileName } from '#contract/fileNames.ts'
import { newId } from '#web/lib/ids.ts'
import { describeError, toast } from '#web/lib/toasts.ts'
import { findLackOfSpace } from './freeSpace.ts'
import { createMatcher } from './matchFiles.ts'
import { createFolders, startUploadsWithFreeNames } from './prepareUploads.ts'
import { listFolders, type AddedFile, type AddedFiles } from './readFiles.ts'
import { addUploads, cancelUploads, getSessionSignal, startUploads } from './queue.ts'
import { saveNow } from './keepUploads.ts'
import { reopenFiles, saveHandles } from './savedHandles.ts'
import { restoreUploads } from './restoreUploads.ts'
import { findUpload, listUploads, updateUpload, type UploadItem, type UploadPlace } from './uploadList.ts'

/**
 * The time for which new uploads wait until the unfinished uploads of earlier visits are known. A slow browser shows the unfinished uploads
 * later.
 */
const maxRestoreMs = 3000
/** The time for which new uploads wait until this browser has saved them, so that they can be continued after a reload. */
const maxSaveMs = 1000
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Uploads files and folders to a place. Files start as soon as their folder exists and their name is free; the user is asked about names
 * that are taken. With `shouldAsk: false`, the new file gets another name instead. A contact has no folders, so it gets all files of a
 * folder. Files that were added to the same place in an earlier visit are continued. Resolves to the ids of the uploads, in the order of
 * the files.
 */
export async function uploadFiles(
  root: UploadPlace,
  { files, folders, handles = [] }: AddedFiles,
  { shouldAsk = true } = {},
): Promise<string[]> {
  const signal = getSessionSignal()
  await Promise.race([restoreUploads(), sleep(maxRestoreMs)])
  if (signal.aborted) return []
  const dropId = newId()
  const match = createMatcher(root)
  const ids: string[] = []
  const prepared = files.flatMap((added) => {
    const earlierUpload = match(added)
    const item = earlierUpload ?? createItem(root, dropId, added)
    ids.push(item.id)
    return earlierUpload ? continueUpload(earlierUpload, added.file) : [item]
  })
  const newItems = prepared.filter((item) => item.dropId === dropId)
  addUploads(newItems)
  const saving = newItems.length > 0 ? Promise.all([saveNow(), saveHandles(dropId, handles)]) : undefined
  await Promise.race([saving, sleep(maxSaveMs)])
  if (signal.aborted) return []
  await prepare({ root, dropId, items: prepared, emptyFolders: folders, shouldAsk })
  return ids
}

/** Continues unfinished uploads to any place with the files that the user has chosen again. */
export async function continueWithFiles({ files }: AddedFiles): Promise<void> {
  const match = createMatcher()
  const matched = files.flatMap((added) => {
    const item = match(added)
    return item ? [{ item, file: added.file }] : []
  })
  if (matched.length === 0) {
    const message = 'An unfinished upload continues only with the same file, unchanged.'
    return toast({ kind: 'error', title: 'These files are not among the unfinished uploads', message })
  }
  const prepared = matched.flatMap(({ item, file }) => continueUpload(item, file))
  const byRoot = Map.groupBy(prepared, ({ root }) => root.folder_id ?? root.contact_id)
  for (const [first, ...others] of byRoot.values())
    if (first) await prepare({ root: first.root, dropId: first.dropId, items: [first, ...others], emptyFolders: [], shouldAsk: true })
}

/** Continues uploads of an earlier visit whose files the browser can read again, after it has asked for permission. */
export async function continueWithHandles(): Promise<void> {
  const items = listUploads().filter(({ status, hasHandle }) => status === 'unfinished' && hasHandle)
  await continueWithFiles(await reopenFiles(new Set(items.map(({ dropId }) => dropId))))
}

function createItem(root: UploadPlace, dropId: string, { file, path }: AddedFile): UploadItem {
  const { name, size, lastModified } = file
  const fields = {
    path,
    name: cleanFileName(name),
    size,
    lastModified,
    ifExists: 'keep_both',
    sentBytes: 0,
    shownBytes: 0,
    file,
    hasStarted: false,
  } as const
  return { id: newId(), dropId, root, place: root, status: 'preparing', ...fields }
}

/** Continues an upload that has started on the server. Returns any other upload, so that its folder and its name are checked first. */
function continueUpload({ id, status, hasStarted, origin }: UploadItem, file: File): UploadItem[] {
  if (status === 'done') return []
  if (hasStarted) {
    const isFromOtherBrowser = origin === 'other browser'
    startUploads([id], { file, ...(isFromOtherBrowser && { ownParts: new Set<number>(), sentBytes: 0, shownBytes: 0 }) })
    return []
  }
  updateUpload(id, { file, status: 'preparing', failure: undefined })
  const item = findUpload(id)
  return item ? [item] : []
}

type PrepareOptions = {
  root: UploadPlace
  dropId: string
  items: readonly UploadItem[]
  emptyFolders: readonly string[]
  shouldAsk: boolean
}

/** Checks the free space, creates the folders, and starts the uploads or lets the dialog ask about their names. */
async function prepare({ root, dropId, items, emptyFolders, shouldAsk }: PrepareOptions): Promise<void> {
  const signal = getSessionSignal()
  const folders = new Set([...emptyFolders, ...items.flatMap(({ path }) => listFolders(path))])
  try {
    const lackOfSpace = await findLackOfSpace(items, signal)
    if (lackOfSpace !== undefined) return refuse(items, lackOfSpace)
    const placed = root.contact_id === null && folders.size > 0 ? await createFolders(root, dropId, items, [...folders], signal) : items
    if (shouldAsk) await startUploadsWithFreeNames(placed, signal)
    else startUploads(placed.map(({ id }) => id))
  } catch (error) {
    if (signal.aborted) return
    removeNotStarted(items, describeError(error))
    throw error
  }
}

/** Removes all files that were added together, because the account has no space for them. */
function refuse(items: readonly UploadItem[], reason: string): void {
  removeNotStarted(items, reason)
  toast({ kind: 'error', title: 'Not enough space', message: `${reason} Files in the trash count too.` })
}

/** Removes the uploads that have not started. Those of an earlier visit stay in the list as unfinished, with the reason. */
function removeNotStarted(items: readonly UploadItem[], reason: string): void {
  const notStarted = items.filter(({ id }) => findUpload(id)?.status === 'preparing')
  const earlier = notStarted.filter(({ origin }) => origin !== undefined)
  const others = notStarted.filter(({ origin }) => origin === undefined)
  for (const { id } of earlier) updateUpload(id, { status: 'unfinished', file: undefined, failure: { reason: 'other', message: reason } })
  cancelUploads(others.map(({ id }) => id))
}
