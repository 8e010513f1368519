import type { File } from '#contract/files.ts'
import type { WholeFile } from '#contract/uploads.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import type { Upload as Body } from '#server/platform/http/upload.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { startUpload } from './start.ts'
import { cancelUpload, finishUpload, writePart } from './uploads.ts'
import { readUpload } from './uploads.store.ts'

type WholeRequest = { file: WholeFile; body: Pick<Body, 'content' | 'size'>; signal?: AbortSignal }

/**
 * Stores a file of at most one part, with the rules of uploads in parts. A repeated call returns the file of the first one. Throws
 * `invalid` for a wrong size, and the errors of uploads. An upload that is interrupted stays, so that the client can repeat the request.
 */
export async function uploadWhole(context: AppContext, caller: Caller, { file, body, signal }: WholeRequest): Promise<File> {
  const wrongSize = new Refusal('invalid', { fields: { body: `The body must have ${file.file_size} bytes` } })
  if (body.size !== undefined && body.size !== file.file_size) throw wrongSize
  const { id } = file
  const { request: _, ...uploader } = caller // without `request`, so that only the last transaction becomes the change of the request
  const isStored = async (): Promise<boolean> => {
    const current = await context.database.read(uploader, () => readUpload(caller.owner, id))
    return current.file_id !== null || current.parts.length === current.part_count
  }
  const upload = await startUpload(context, uploader, file)
  try {
    if (upload.file_id === null && file.file_size > 0)
      await writePart(context, uploader, { id, number: 0, body, ...(signal && { signal }) }).catch(async (error: unknown) => {
        const isWrongSize = error instanceof Refusal && error.extras.fields?.['body'] !== undefined
        // a simultaneous request with the same id may have stored the part
        if (isWrongSize || !(await isStored().catch(() => false))) throw error
      })
    return await finishUpload(context, caller, id)
  } catch (error) {
    // if the cancellation fails, the upload expires later
    if (error instanceof Refusal && error.code === 'invalid') await cancelUpload(context, uploader, id).catch(() => {})
    throw error
  }
}
