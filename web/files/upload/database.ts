// The IndexedDB database in which this browser stores unfinished uploads.

/**
 * The object stores and the field that is the key of each. `handles` contains the browser's handles of dropped files. A drop, which has the
 * id `dropId`, is a group of files that were dropped or chosen together.
 */
const keyPaths = { uploads: 'id', handles: 'dropId' } as const
type StoreName = keyof typeof keyPaths

/**
 * Some browsers never respond, for example while another tab has an older version of the database open. A slow browser may respond later.
 */
const maxWaitMs = 3000

/**
 * Runs a transaction and returns the result of its last request. Never rejects: returns `refused` when the browser has no storage, refuses
 * the access or has no space left. Uploads then work, but this browser cannot continue them after a reload. Returns `timed out` when the
 * browser has not responded after 3 s; the transaction may still be carried out.
 */
export async function runTransaction<T>(
  storeName: StoreName,
  mode: IDBTransactionMode,
  run: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | 'refused' | 'timed out'> {
  const { promise: timeout, resolve: stopWaiting } = Promise.withResolvers<'timed out'>()
  const timer = setTimeout(() => stopWaiting('timed out'), maxWaitMs)
  const result = openAndRun(storeName, mode, run).catch(() => 'refused' as const)
  return Promise.race([result, timeout]).finally(() => clearTimeout(timer))
}

/**
 * Returns all values of an object store. Waits as long as a slow browser needs. Never rejects: returns an empty list when the browser has no
 * storage or refuses the access.
 */
export const readAllValues = <T>(storeName: StoreName): Promise<T[]> =>
  openAndRun<T[]>(storeName, 'readonly', (store) => store.getAll()).catch(() => [])

async function openAndRun<T>(storeName: StoreName, mode: IDBTransactionMode, run: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await openDatabase()
  try {
    const transaction = database.transaction(storeName, mode)
    const request = run(transaction.objectStore(storeName))
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    transaction.addEventListener('complete', () => resolve(request.result))
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('The transaction was aborted')))
    return await promise
  } finally {
    database.close()
  }
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
