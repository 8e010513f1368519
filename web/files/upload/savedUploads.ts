// Stores the unfinished uploads of this browser in IndexedDB, so that they can be continued after a reload. `hasSavedUploads` is a flag in
// local storage; the database is opened only if it is set.
import { readAllValues, runTransaction } from './database.ts'
import { hasSavedUploads, setHasSavedUploads } from './uploadLayer.ts'
import type { UploadItem } from './uploadList.ts'

/** What is needed to continue an upload. `user` is the id of the user who started it, `savedAt` is a time in ms since 1970. */
export type SavedUpload = Pick<
  UploadItem,
  'id' | 'dropId' | 'root' | 'place' | 'path' | 'name' | 'size' | 'lastModified' | 'ifExists' | 'hasStarted' | 'failure'
> & { user: string; isDone: boolean; savedAt: number }

/** Returns all saved uploads. Returns an empty list in browsers that refuse to store data. */
export const readSavedUploads = async (): Promise<SavedUpload[]> => (hasSavedUploads() ? readAllValues<SavedUpload>('uploads') : [])

export async function saveUploads(uploads: readonly SavedUpload[]): Promise<void> {
  if (uploads.length === 0) return
  const hadUploads = hasSavedUploads()
  setHasSavedUploads(true) // before the write: if the page is closed in between, uploads without this flag would never be found
  const result = await runTransaction('uploads', 'readwrite', (store) => {
    for (const upload of uploads) store.put(upload)
    return store.count()
  })
  // after a timeout the flag stays, because the write may still happen
  if (result === 'refused' && !hadUploads) setHasSavedUploads(false)
}

export async function deleteSavedUploads(ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const remainingCount = await runTransaction('uploads', 'readwrite', (store) => {
    for (const id of ids) store.delete(id)
    return store.count()
  })
  if (remainingCount === 0) setHasSavedUploads(false)
}
