// Saves the unfinished uploads of this tab, so that they can be continued after a reload. A drop is a group of files that were dropped or
// chosen together; handles are the browser's references to dropped files.
import { getUserId } from '#web/lib/session.ts'
import { deleteHandles } from './savedHandles.ts'
import { deleteSavedUploads, readSavedUploads, saveUploads, type SavedUpload } from './savedUploads.ts'
import { listUploads, uploads, type UploadItem } from './uploadList.ts'

/** The state of each upload of this tab when it was saved, by the id of the upload. */
const savedStates = new Map<string, string>()
/** The ids of the drops with files that are not uploaded yet. The handles of a drop are deleted when all its files are uploaded. */
let unfinishedDropIds = new Set<string>()
let lastWrite = Promise.resolve()

// subscribed when this module is loaded, and not in a component, because uploads can run before the panel is loaded
uploads.subscribe(saveChanges)

/** Saves the uploads of this tab, and resolves when they are saved. Never rejects. */
export function saveNow(): Promise<void> {
  saveChanges()
  return lastWrite
}

/**
 * Stops saving the changes of these uploads. What is already saved stays saved, because another tab continues the uploads, or because the
 * user may continue them after the next sign-in.
 */
export function stopSavingUploads(ids: Iterable<string>): void {
  for (const id of ids) savedStates.delete(id)
  unfinishedDropIds = new Set() // otherwise `saveChanges` would delete the handles of drops that leave the list
}

/** Remembers that uploads are saved in their current state. */
export function markAsSaved(items: readonly UploadItem[]): void {
  for (const item of items) savedStates.set(item.id, describeState(item))
}

/** Deletes the saved uploads of a user, because they are personal. */
export async function deleteSavedUploadsOfUser(userId: string | undefined): Promise<void> {
  await lastWrite // otherwise a write that has already begun could save uploads after this deletion
  const all = await readSavedUploads()
  const own = all.filter((upload) => upload.user === userId)
  await deleteSavedUploads(own.map(({ id }) => id))
  for (const dropId of new Set(own.map((upload) => upload.dropId))) await deleteHandles(dropId)
}

function saveChanges(): void {
  const user = getUserId()
  const items = listUploads().filter(({ origin }) => origin !== 'other browser')
  const newUnfinishedDropIds = new Set(items.filter(({ status }) => status !== 'done').map(({ dropId }) => dropId))
  /** The uploads to save: all files of the unfinished drops, also those that are done. */
  const uploadsToSave = new Map(items.filter(({ dropId }) => newUnfinishedDropIds.has(dropId)).map((item) => [item.id, item]))
  const endedDropIds = [...unfinishedDropIds].filter((dropId) => !newUnfinishedDropIds.has(dropId))
  const removedIds = [...savedStates.keys()].filter((id) => !uploadsToSave.has(id))
  const changed = [...uploadsToSave.values()].filter((item) => savedStates.get(item.id) !== describeState(item))
  for (const id of removedIds) savedStates.delete(id)
  markAsSaved(changed)
  unfinishedDropIds = newUnfinishedDropIds
  for (const dropId of endedDropIds) void deleteHandles(dropId)
  if (removedIds.length + changed.length === 0) return
  const records = user === undefined ? [] : changed.map((item) => toSaved(item, user))
  lastWrite = lastWrite.then(() => saveUploads(records)).then(() => deleteSavedUploads(removedIds))
}

/** Returns a text that differs when the upload must be saved again. */
const describeState = (item: UploadItem): string =>
  [item.place.folder_id, item.ifExists, item.hasStarted, item.status === 'done', getLastingFailure(item)?.message].join()

/** Returns the failure that is still true after a reload. */
const getLastingFailure = ({ failure }: UploadItem): UploadItem['failure'] => (failure?.reason === 'offline' ? undefined : failure)

const toSaved = (item: UploadItem, userId: string): SavedUpload => {
  const { id, dropId, root, place, path, name, size, lastModified, ifExists, hasStarted, status } = item
  const isDone = status === 'done'
  const fields = { id, dropId, root, place, path, name, size, lastModified, ifExists, hasStarted }
  return { ...fields, isDone, failure: getLastingFailure(item), user: userId, savedAt: Date.now() }
}
