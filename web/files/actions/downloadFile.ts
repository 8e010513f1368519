import type { File } from '#contract/files.ts'
import { fileFunctionRoutes } from '#contract/uploads.ts'
import { call } from '#web/lib/client.ts'
import { toast, toastError } from '#web/lib/toasts.ts'

/** Downloads a file and shows a toast. The browser downloads by a link, so that a large file is not held in memory. */
export async function downloadFile({ storage_path, file_name }: Pick<File, 'storage_path' | 'file_name'>): Promise<void> {
  try {
    const { url } = await call(fileFunctionRoutes.downloadFromS3, { body: { storagePath: storage_path } })
    const link = document.createElement('a')
    link.href = new URL(url).pathname // on the origin of this page, which may differ from the configured one
    link.download = file_name
    link.click()
    toast({ kind: 'success', title: 'Download started', message: file_name })
  } catch (error) {
    toastError(error, 'Error downloading file')
  }
}
