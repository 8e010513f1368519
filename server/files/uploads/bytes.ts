import { Readable } from 'node:stream'
import type { File } from '#contract/files.ts'
import { partBytes, type NewUpload } from '#contract/uploads.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { uploadedByUser } from './finish.ts'
import { startUpload } from './start.ts'
import { cancelUpload, finishUpload, writePart } from './uploads.ts'

/** Adds a file from bytes in memory as one change, with the rules of uploads in parts. Throws the errors of uploads. */
export async function uploadBytes(
  context: AppContext,
  caller: Caller,
  upload: Omit<NewUpload, 'id' | 'file_size'>,
  bytes: Buffer,
  source = uploadedByUser,
): Promise<File> {
  const { request: _, ...uploader } = caller // without `request`, so that only the last transaction becomes the change of the request
  const { id } = await startUpload(context, uploader, { ...upload, file_size: bytes.byteLength })
  try {
    for (let number = 0; number * partBytes < bytes.byteLength; number++) {
      const part = bytes.subarray(number * partBytes, (number + 1) * partBytes)
      await writePart(context, uploader, { id, number, body: { content: Readable.from([part]), size: part.byteLength } })
    }
    return await finishUpload(context, caller, id, source)
  } catch (error) {
    const { queueSignal: __, ...canceller } = uploader // the client may have disconnected
    await cancelUpload(context, canceller, id).catch(() => {}) // if this fails, the upload expires later
    throw error
  }
}
