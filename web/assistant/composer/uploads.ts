// Uploads of files that are attached to a message. The files are stored in the root folder of Files.
import type { Reference } from '#contract/assistant.ts'
import { uploadRoutes } from '#contract/uploads.ts'
import { call } from '#web/lib/client.ts'
import { readInput } from '#web/files/upload/readFiles.ts'
import { uploadFiles } from '#web/files/upload/uploadFiles.ts'
import { findUpload, uploads, type UploadItem } from '#web/files/upload/uploadList.ts'

const rootFolder = { folder_id: null, contact_id: null }

/**
 * Uploads a file and waits until it is stored. If its name is taken, the file gets another one. Resolves to undefined if the user cancels
 * the upload, and to the reason if it fails. Throws `ProblemError`.
 */
export async function uploadFile(file: File): Promise<Reference | { failure: string } | undefined> {
  const [uploadId] = await uploadFiles(rootFolder, readInput([file]), { shouldAsk: false })
  if (uploadId === undefined) return undefined
  const ended = await waitForEnd(uploadId)
  if (ended?.status !== 'done') return ended && { failure: ended.failure?.message ?? 'The file could not be uploaded.' }
  const { file_id: id, file_name: title } = await call(uploadRoutes.get, { params: { id: uploadId } })
  return id === null ? undefined : { kind: 'file', id, title }
}

/** Waits until an upload is done or has failed. Resolves to undefined if it is cancelled. */
function waitForEnd(uploadId: string): Promise<UploadItem | undefined> {
  return new Promise((resolve) => {
    const check = (): void => {
      const upload = findUpload(uploadId)
      const isRunning = upload !== undefined && upload.status !== 'done' && upload.status !== 'failed'
      if (isRunning) return
      unsubscribe()
      resolve(upload)
    }
    const unsubscribe = uploads.subscribe(check)
    check()
  })
}
