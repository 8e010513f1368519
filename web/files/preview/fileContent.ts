import { fileRoutes } from '#contract/files.ts'
import { toast } from '#web/lib/toasts.ts'

/** Returns the address of the bytes of a file. With `inline` the server sends a safe image with its type. */
export function getContentAddress(id: string, disposition?: 'inline'): string {
  const address = fileRoutes.content.path.replace('{id}', id)
  return disposition ? `${address}?disposition=${disposition}` : address
}

/** Starts the download of a file, which the browser continues in the background. */
export function downloadFile({ id, file_name }: { id: string; file_name: string }): void {
  const link = document.createElement('a')
  link.href = getContentAddress(id)
  link.download = file_name
  link.click()
  toast({ kind: 'success', title: 'Download started', message: file_name })
}
