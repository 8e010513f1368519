import { folderRoutes } from '#contract/folders.ts'
import { partBytes, uploadRoutes, type Upload } from '#contract/uploads.ts'
import { call, callForChange, ProblemError } from '#web/lib/client.ts'
import { describeError } from '#web/lib/toasts.ts'
import { describeLackOfSpace, readFreeBytes } from './freeSpace.ts'
import { computePercent } from './progress.ts'
import { createSlots } from './slots.ts'
import { withRetries } from './retry.ts'
import { newId } from '#web/lib/ids.ts'
import { sendBytes, sendBytesForChange } from '#web/lib/sendBytes.ts'
import { findUpload, updateUpload, type UploadFailure, type UploadItem } from './uploadList.ts'

/** An upload whose file is known. */
type ItemWithFile = UploadItem & { file: File }

/** The maximum number of requests of all uploads at the same time. Browsers open six connections to a server, and live updates need one. */
const maxRequests = 4
/** The maximum number of parts of one file that are sent at the same time. */
const maxPartsOfFile = 3
/**
 * The maximum number of times that missing parts are sent again after the server has refused to finish an upload, because parts are missing
 * or damaged.
 */
const maxResends = 3

const runInSlot = createSlots(maxRequests)

/**
 * Uploads the bytes of a file that are missing on the server, and creates the file. Returns the id of the change, if it is known. Throws
 * `ProblemError` or the reason of the signal.
 */
export async function transferFile(item: ItemWithFile, signal: AbortSignal): Promise<string | undefined> {
  const request = <T>(send: () => Promise<T>): Promise<T> => withRetries(signal, () => runInSlot(signal, send))
  if (!item.hasStarted && item.size <= partBytes) return sendWholeFile(item, signal)
  const params = { id: item.id }
  let upload = await request(() => getOrStartUpload(item, signal))
  for (let resends = 0; upload.file_id === null; resends += 1) {
    await sendMissingParts(item, upload, signal)
    try {
      const options = { signal, idempotencyKey: newId() } // the same for all retries, whose responses then have the id of the change
      return (await request(() => callForChange(uploadRoutes.finish, { params }, options))).changeId
    } catch (error) {
      if (resends >= maxResends || !isProblem(error, 'invalid')) throw error
      upload = await request(() => call(uploadRoutes.get, { params }, { signal }))
      updateUpload(item.id, { shownBytes: 0 }) // parts are lost, so the progress goes back to the bytes of the stored parts
    }
  }
  return undefined
}

/** Returns the upload with its stored parts; starts it when the server does not know it. */
async function getOrStartUpload({ id, name, size, file, place, ifExists, hasStarted }: ItemWithFile, signal: AbortSignal): Promise<Upload> {
  if (hasStarted) {
    try {
      return await call(uploadRoutes.get, { params: { id } }, { signal })
    } catch (error) {
      if (!isProblem(error, 'not_found')) throw error
    }
  }
  updateUpload(id, { hasStarted: true, sentBytes: 0, shownBytes: 0 })
  const body = { id, file_name: name, file_size: size, mime_type: file.type || undefined, ...place, if_exists: ifExists }
  return call(uploadRoutes.create, { body }, { signal })
}

/**
 * Uploads a file of one part in one request. After a failure all of it must be sent again, even if the server knows the upload. Returns the
 * id of the change, or undefined if a request whose response was lost has made it.
 */
async function sendWholeFile({ id, name, size, file, place, ifExists }: ItemWithFile, signal: AbortSignal): Promise<string | undefined> {
  updateUpload(id, { hasStarted: true })
  const query = {
    id,
    file_name: name,
    file_size: String(size),
    mime_type: file.type || undefined,
    folder_id: place.folder_id ?? undefined,
    contact_id: place.contact_id ?? undefined,
    if_exists: ifExists,
  }
  const onProgress = (sentBytes: number): void => updateUpload(id, { sentBytes: Math.min(sentBytes, size) })
  const send = () => sendBytesForChange(uploadRoutes.sendWhole, { query }, file, { signal, onProgress })
  return (await withRetries(signal, () => runInSlot(signal, () => checkReadable(file, send)))).changeId
}

/** Sends the parts that the server has not stored, at most `maxPartsOfFile` at the same time. Stops all of them when one fails. */
async function sendMissingParts({ id, file, size, ownParts }: ItemWithFile, upload: Upload, signal: AbortSignal): Promise<void> {
  const { part_size: partSize, part_count: count } = upload
  // if another browser began the upload, only the parts that this tab has sent count as stored
  const stored = new Set(upload.parts.filter((number) => !ownParts || ownParts.has(number)))
  const missing = Array.from({ length: count }, (_, number) => number).filter((number) => !stored.has(number))
  const getEnd = (number: number): number => Math.min(size, (number + 1) * partSize)
  let storedBytes = [...stored].reduce((sum, number) => sum + getEnd(number) - number * partSize, 0)
  /** The number of sent bytes of each part that is being sent. */
  const sending = new Map<number, number>()
  const updateProgress = (): void => updateUpload(id, { sentBytes: [...sending.values()].reduce((sum, bytes) => sum + bytes, storedBytes) })
  const partsController = new AbortController()
  const partSignal = AbortSignal.any([signal, partsController.signal])

  async function sendPart(number: number): Promise<void> {
    const bytes = file.slice(number * partSize, getEnd(number))
    const onProgress = (sentBytes: number): void => {
      sending.set(number, Math.min(sentBytes, bytes.size))
      updateProgress()
    }
    const params = { id, number: String(number) }
    const send = (): Promise<void> => sendBytes(uploadRoutes.writePart, { params }, bytes, { signal: partSignal, onProgress })
    try {
      await withRetries(partSignal, () => runInSlot(partSignal, () => checkReadable(bytes, send)))
      storedBytes += bytes.size
      ownParts?.add(number)
    } finally {
      sending.delete(number)
      updateProgress()
    }
  }

  async function sendNextParts(): Promise<void> {
    for (let number = missing.shift(); number !== undefined; number = missing.shift()) await sendPart(number)
  }

  updateProgress()
  const workers = Array.from({ length: Math.min(maxPartsOfFile, missing.length) }, sendNextParts)
  try {
    await Promise.all(workers)
  } finally {
    partsController.abort(new Error('Another part of this file has failed'))
    await Promise.allSettled(workers)
  }
}

class UnreadableFileError extends Error {}

/**
 * Calls `send`. A request fails with the same error when the connection is lost and when the file cannot be read. So after this error,
 * reads a byte of the file, and throws `UnreadableFileError` if that fails too.
 */
async function checkReadable<T>(bytes: Blob, send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (isProblem(error, 'offline')) {
      await bytes
        .slice(0, 1)
        .arrayBuffer()
        .catch((cause: unknown) => {
          throw new UnreadableFileError('The file cannot be read', { cause })
        })
    }
    throw error
  }
}

const isProblem = (error: unknown, code: ProblemError['problem']['code']): boolean =>
  error instanceof ProblemError && error.problem.code === code

/** Describes why an upload failed, in a sentence for its row. */
export async function describeFailure(id: string, error: unknown): Promise<UploadFailure> {
  const item = findUpload(id)
  if (error instanceof UnreadableFileError) return { reason: 'unreadable', message: 'The file was changed or moved on this computer' }
  if (isProblem(error, 'offline')) return { reason: 'offline', message: `Connection lost at ${item ? computePercent(item) : 0}%` }
  if (isProblem(error, 'quota_exceeded')) return { reason: 'other', message: await describeFullAccount(item) }
  if (isProblem(error, 'storage_full')) return { reason: 'other', message: 'The server has no space left for files' }
  if (item && isProblem(error, 'not_found')) return { reason: 'other', message: await describeNotFound(item) }
  return { reason: 'other', message: describeError(error) }
}

async function describeFullAccount(item: UploadItem | undefined): Promise<string> {
  const free = await readFreeBytes()
  const isFull = item && free !== undefined && item.size > free // false when space has become free since the server refused the upload
  return isFull ? describeLackOfSpace('Needs', item.size, free) : 'Not enough space left in your account'
}

async function describeNotFound({ place }: UploadItem): Promise<string> {
  if (place.contact_id !== null) return 'The contact or the upload was deleted'
  const isFolderGone =
    place.folder_id !== null &&
    (await call(folderRoutes.get, { params: { id: place.folder_id } }).then(
      () => false,
      (error: unknown) => isProblem(error, 'not_found'),
    ))
  return isFolderGone ? 'The folder was deleted' : 'The upload was deleted or has expired'
}
