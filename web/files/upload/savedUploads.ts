// The unfinished uploads of this browser, in IndexedDB, so that they can be continued after a reload.
import { hasSavedUploads, setHasSavedUploads } from './uploadLayer.ts'
import type { UploadItem } from './uploadList.ts'

/** What is needed to continue an upload. `user` is the id of its user, `savedAt` a time in ms. */
export type SavedUpload = Pick<
  UploadItem,
  'id' | 'dropId' | 'root' | 'place' | 'path' | 'name' | 'size' | 'lastModified' | 'ifExists' | 'hasStarted'
> & { user: string; isDone: boolean; savedAt: number }

const databaseName = 'foyer-uploads'
const storeName = 'uploads'

/** Returns all saved uploads. Returns nothing in browsers that refuse to store data. */
export async function readSavedUploads(): Promise<SavedUpload[]> {
  if (!hasSavedUploads()) return []
  return useStorage<SavedUpload[]>('readonly', (store) => store.getAll(), [])
}

export async function saveUploads(uploads: readonly SavedUpload[]): Promise<void> {
  if (uploads.length === 0) return
  setHasSavedUploads(true)
  await useStorage(
    'readwrite',
    (store) => {
      for (const upload of uploads) store.put(upload)
      return store.count()
    },
    0,
  )
}

export async function deleteSavedUploads(ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const left = await useStorage(
    'readwrite',
    (store) => {
      for (const id of ids) store.delete(id)
      return store.count()
    },
    0,
  )
  if (left === 0) setHasSavedUploads(false)
}

/** Runs a transaction and returns the result of its last request; `fallback` when the browser has no storage. */
async function useStorage<T>(mode: IDBTransactionMode, run: (store: IDBObjectStore) => IDBRequest<T>, fallback: T): Promise<T> {
  let database: IDBDatabase
  try {
    database = await openDatabase()
  } catch {
    return fallback // without storage, uploads work but cannot be continued after a reload
  }
  const transaction = database.transaction(storeName, mode)
  const request = run(transaction.objectStore(storeName))
  const { promise, resolve } = Promise.withResolvers<T>()
  transaction.addEventListener('complete', () => resolve(request.result))
  transaction.addEventListener('abort', () => resolve(fallback)) // for example because the disk is full
  const result = await promise
  database.close()
  return result
}

function openDatabase(): Promise<IDBDatabase> {
  const { promise, resolve, reject } = Promise.withResolvers<IDBDatabase>()
  const request = indexedDB.open(databaseName, 1)
  request.addEventListener('upgradeneeded', () => request.result.createObjectStore(storeName, { keyPath: 'id' }))
  request.addEventListener('success', () => resolve(request.result))
  request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB cannot be opened')))
  return promise
}
