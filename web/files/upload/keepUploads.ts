import { getUserId } from '#web/lib/session.ts'
import { deleteHandles } from './savedHandles.ts'
import { deleteSavedUploads, readSavedUploads, saveUploads, type SavedUpload } from './savedUploads.ts'
import { uploads, type UploadItem } from './uploadList.ts'

/** The saved state of the uploads of this tab, by their ids. */
const saved = new Map<string, string>()
/** The drops with files that are not done, whose handles are deleted when they end. */
let keptDrops = new Set<string>()
let lastWrite = Promise.resolve()

/** Saves the uploads of this tab when they change, until the returned function is called. */
export function keepUploads(): () => void {
  saveChanges()
  return uploads.subscribe(saveChanges)
}

/** Stops to keep uploads, which stay saved: another tab continues them, or they may be continued after the next sign-in. */
export function releaseUploads(ids: Iterable<string>): void {
  for (const id of ids) saved.delete(id)
  keptDrops = new Set()
}

/** Marks uploads as saved in their current state. */
export function markAsSaved(items: readonly UploadItem[]): void {
  for (const item of items) saved.set(item.id, describeState(item))
}

/** Deletes the saved uploads of a user, because they are personal. */
export async function forgetUploads(user: string | undefined): Promise<void> {
  await lastWrite // a write that began before would otherwise save them again
  const all = await readSavedUploads()
  const own = all.filter((upload) => upload.user === user)
  await deleteSavedUploads(own.map(({ id }) => id))
  for (const dropId of new Set(own.map((upload) => upload.dropId))) await deleteHandles(dropId)
}

function saveChanges(): void {
  const user = getUserId()
  const items = uploads.get().filter(({ origin }) => origin !== 'other browser')
  const openDrops = new Set(items.filter(({ status }) => status !== 'done').map(({ dropId }) => dropId))
  const kept = new Map(items.filter(({ dropId }) => openDrops.has(dropId)).map((item) => [item.id, item]))
  const endedDrops = [...keptDrops].filter((dropId) => !openDrops.has(dropId))
  const removedIds = [...saved.keys()].filter((id) => !kept.has(id))
  const changed = [...kept.values()].filter((item) => saved.get(item.id) !== describeState(item))
  for (const id of removedIds) saved.delete(id)
  markAsSaved(changed)
  keptDrops = openDrops
  for (const dropId of endedDrops) void deleteHandles(dropId)
  if (removedIds.length + changed.length === 0) return
  const records = user === undefined ? [] : changed.map((item) => toSaved(item, user))
  lastWrite = lastWrite.then(() => saveUploads(records)).then(() => deleteSavedUploads(removedIds))
}

const describeState = (item: UploadItem): string =>
  [item.place.folder_id, item.ifExists, item.hasStarted, item.status === 'done', getLastingFailure(item)?.message].join()

/** Returns the failure that is still true after a reload. */
const getLastingFailure = ({ failure }: UploadItem): UploadItem['failure'] => (failure?.reason === 'offline' ? undefined : failure)

const toSaved = (item: UploadItem, user: string): SavedUpload => {
  const { id, dropId, root, place, path, name, size, lastModified, ifExists, hasStarted, status } = item
  const isDone = status === 'done'
  const fields = { id, dropId, root, place, path, name, size, lastModified, ifExists, hasStarted }
  return { ...fields, isDone, failure: getLastingFailure(item), user, savedAt: Date.now() }
}
