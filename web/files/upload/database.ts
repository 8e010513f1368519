// What this browser keeps of unfinished uploads, in IndexedDB.

/** The object stores with their keys. */
const keyPaths = { uploads: 'id', handles: 'dropId' } as const
type StoreName = keyof typeof keyPaths

/** Runs a transaction and returns the result of its last request; `fallback` when the browser has no storage. */
export async function runTransaction<T>(
  storeName: StoreName,
  mode: IDBTransactionMode,
  run: (store: IDBObjectStore) => IDBRequest<T>,
  fallback: T,
): Promise<T> {
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
  const request = indexedDB.open('foyer-uploads', 2)
  request.addEventListener('upgradeneeded', () => {
    const { result: database } = request
    for (const [name, keyPath] of Object.entries(keyPaths))
      if (!database.objectStoreNames.contains(name)) database.createObjectStore(name, { keyPath })
  })
  request.addEventListener('success', () => resolve(request.result))
  request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB cannot be opened')))
  return promise
}
