import { cleanFileName } from '#contract/fileNames.ts'
import { newId } from '#web/lib/ids.ts'
import { describeError, toast } from '#web/lib/toasts.ts'
import { findLackOfSpace } from './freeSpace.ts'
import { createMatcher } from './matchFiles.ts'
import { createFolders, startFreeNames } from './prepareUploads.ts'
import { listFolders, type AddedFile, type AddedFiles } from './readFiles.ts'
import { addUploads, cancelUploads, getSessionSignal, startUploads } from './queue.ts'
import { reopenFiles, saveHandles } from './savedHandles.ts'
import { restoreUploads } from './restoreUploads.ts'
import { findUpload, listUploads, updateUpload, type UploadItem, type UploadPlace } from './uploadList.ts'

/**
 * Uploads files and folders to a place. Files start as soon as their folder exists and their name is free; the user is asked about names
 * that are taken, unless `asks` is false, which keeps both files. A contact has no folders, so it gets all files of a folder. Files that
 * were added to the same place in an earlier visit are continued.
 */
export async function uploadFiles(root: UploadPlace, { files, folders, handles = [] }: AddedFiles, { asks = true } = {}): Promise<void> {
  const signal = getSessionSignal()
  await restoreUploads()
  if (signal.aborted) return
  const dropId = newId()
  const match = createMatcher(root)
  const prepared = files.flatMap((added): UploadItem[] => {
    const known = match(added)
    if (known) return continueUpload(known, added.file)
    return [createItem(root, dropId, added)]
  })
  addUploads(prepared.filter((item) => item.dropId === dropId))
  if (prepared.some((item) => item.dropId === dropId)) void saveHandles(dropId, handles)
  await prepare(root, prepared, folders, asks)
}

/** Continues unfinished uploads, wherever they go, with the files that the user has chosen again. */
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
  for (const [first, ...others] of byRoot.values()) if (first) await prepare(first.root, [first, ...others], [], true)
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

/** Continues an upload that has started. Returns it when it has not, so that its folder and its name are checked first. */
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

async function prepare(root: UploadPlace, items: readonly UploadItem[], emptyFolders: readonly string[], asks: boolean): Promise<void> {
  const signal = getSessionSignal()
  const folders = new Set([...emptyFolders, ...items.flatMap(({ path }) => listFolders(path))])
  try {
    const lackOfSpace = await findLackOfSpace(items, signal)
    if (lackOfSpace !== undefined) return refuse(items, lackOfSpace)
    const placed = root.contact_id === null && folders.size > 0 ? await createFolders(root, items, [...folders], signal) : items
    if (asks) await startFreeNames(placed, signal)
    else startUploads(placed.map(({ id }) => id))
  } catch (error) {
    if (signal.aborted) return
    leaveOut(items, describeError(error))
    throw error
  }
}

/** Uploads nothing of a drop for which the account has no space. */
function refuse(items: readonly UploadItem[], reason: string): void {
  leaveOut(items, reason)
  toast({ kind: 'error', title: 'Not enough space', message: `${reason} Files in the trash count too.` })
}

/** Removes the files that have not started. Those of an earlier visit stay unfinished with the reason, and can be chosen again. */
function leaveOut(items: readonly UploadItem[], reason: string): void {
  const left = items.filter(({ id }) => findUpload(id)?.status === 'preparing')
  const [earlier, others] = [left.filter(({ origin }) => origin), left.filter(({ origin }) => !origin)]
  for (const { id } of earlier) updateUpload(id, { status: 'unfinished', file: undefined, failure: { reason: 'other', message: reason } })
  cancelUploads(others.map(({ id }) => id))
}
