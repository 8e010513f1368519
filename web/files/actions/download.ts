import type { File } from '#contract/files.ts'
import { fileSelectionRoutes } from '#contract/fileSelection.ts'
import { fileFunctionRoutes } from '#contract/uploads.ts'
import { call } from '#web/lib/client.ts'
import { startDownload } from '#web/lib/startDownload.ts'
import { toast, toastError } from '#web/lib/toasts.ts'
import { toFileSelection, type Selected } from '../kind/selected.ts'

/** Downloads a file and shows a toast. */
export async function downloadFile({ storage_path, file_name }: Pick<File, 'storage_path' | 'file_name'>): Promise<void> {
  try {
    const { url } = await call(fileFunctionRoutes.downloadFromS3, { body: { storagePath: storage_path } })
    // only the path, because the server may be configured with another origin than that of this page
    startDownload(new URL(url).pathname, file_name)
    toast({ kind: 'success', title: 'Download started', message: file_name })
  } catch (error) {
    toastError(error, 'Error downloading file')
  }
}

/** Downloads folders and files: a single file as it is, else all of them in one zip. */
export async function downloadEntries(selected: Selected): Promise<void> {
  const [first, ...others] = selected.entries
  if (first?.kind === 'file' && others.length === 0 && !selected.everything) return downloadFile(first.file)
  try {
    const { url, name } = await call(fileSelectionRoutes.prepareZip, { body: toFileSelection(selected) })
    startDownload(url, name)
    toast({ kind: 'success', title: 'Download started', message: name })
  } catch (error) {
    toastError(error, 'Error downloading file')
  }
}
