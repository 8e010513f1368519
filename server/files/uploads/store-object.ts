import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { partBytes } from '#contract/uploads.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { startUpload } from './start.ts'
import { cancelUpload, completeUpload, writePart } from './uploads.ts'
import { deleteCompleted, lockUpload } from './uploads.store.ts'

/** Reads the bytes of a stored object, by default all of them; both ends of a range are included. Throws `StorageError`. */
export type ReadObject = (range?: { start: number; end: number }) => AsyncIterable<Uint8Array>

/** The bytes of a new stored object. `size`: their number. */
type NewObject = { name: string; size: number; content: AsyncIterable<Uint8Array>; signal?: AbortSignal }

/**
 * `inspect` reads the stored bytes, and may throw to discard them. `write` runs in the transaction that adds the stored object, and writes
 * the row that refers to it.
 */
type Steps<Inspected, T> = {
  inspect: (read: ReadObject) => Promise<Inspected>
  write: (objectId: string, inspected: Inspected) => Promise<T>
}

/**
 * Stores bytes that are not a file of the user, with the rules and the errors of uploads. They count towards the space of the owner. A
 * table with rows that need the object has a foreign key to `stored_objects`; without such a row the daily cleaning deletes the object when
 * it is older than a day.
 */
export async function storeObject<Inspected, T>(
  context: AppContext,
  caller: Caller,
  { name, size, content, signal }: NewObject,
  { inspect, write }: Steps<Inspected, T>,
): Promise<T> {
  const { database, storage } = context
  const { owner } = caller
  const place = { folder_id: null, contact_id: null }
  const { id } = await startUpload(context, caller, {
    file_name: name,
    file_size: size,
    mime_type: 'application/octet-stream',
    ...place,
    if_exists: 'keep_both',
    becomes_file: false,
  })
  try {
    const hash = createHash('sha256')
    const readPart = createPartReader(content, (chunk) => void hash.update(chunk))
    for (let number = 0; number * partBytes < size; number++) {
      const partSize = Math.min(partBytes, size - number * partBytes)
      const body = { content: Readable.from(readPart(partSize)), size: partSize }
      await writePart(context, caller, { id, number, body, ...(signal && { signal }) })
    }
    const { storage_path: key } = await completeUpload(context, caller, id)
    if (key === null) throw new Error('An upload without a file must have a storage path')
    const sha256 = hash.digest()
    const inspected = await inspect((range = { start: 0, end: size - 1 }) => storage.read(key, range))
    return await database.transaction(caller, 'Stored a file', async () => {
      if (!(await lockUpload(owner, id))) throw new Refusal('not_found') // it was cancelled meanwhile
      const objectId = newId()
      await Promise.all([
        sql('insert into stored_objects (user_id, id, storage_path, file_size, sha256) values ($1, $2, $3, $4, $5)', [
          owner,
          objectId,
          key,
          size,
          sha256,
        ]),
        deleteCompleted(owner, id),
      ])
      return write(objectId, inspected)
    })
  } catch (error) {
    const { queueSignal: _, ...canceller } = caller // the client may have disconnected
    await cancelUpload(context, canceller, id).catch(() => {}) // if this fails, the upload expires later
    throw error
  }
}

/** Returns a function that reads the next bytes of the content. If the content ends earlier, it returns fewer bytes. */
function createPartReader(
  content: AsyncIterable<Uint8Array>,
  onChunk: (chunk: Uint8Array) => void,
): (size: number) => AsyncGenerator<Uint8Array> {
  const iterator = content[Symbol.asyncIterator]()
  let rest: Uint8Array | undefined
  const readChunk = async (): Promise<Uint8Array | undefined> => {
    const { value, done } = await iterator.next()
    return done ? undefined : value
  }
  return async function* readPart(size) {
    let left = size
    while (left > 0) {
      const chunk = rest ?? (await readChunk())
      if (!chunk) return
      const piece = chunk.subarray(0, left)
      rest = piece.byteLength < chunk.byteLength ? chunk.subarray(left) : undefined
      left -= piece.byteLength
      onChunk(piece)
      yield piece
    }
  }
}

/** Returns a function that reads a stored object. Throws `not_found`. */
export async function openObject({ database, storage }: AppContext, caller: Caller, id: string): Promise<ReadObject> {
  const [object] = await database.read(caller, () =>
    sql<{ storage_path: string; file_size: number }>('select storage_path, file_size from stored_objects where user_id = $1 and id = $2', [
      caller.owner,
      id,
    ]),
  )
  if (!object) throw new Refusal('not_found')
  return (range = { start: 0, end: object.file_size - 1 }) => storage.read(object.storage_path, range)
}

/** Deletes a stored object in the open transaction. Triggers add the job that deletes its bytes. */
export const deleteObject = (owner: string, id: string): Promise<unknown> =>
  sql('delete from stored_objects where user_id = $1 and id = $2', [owner, id])
