import { fileRoutes } from '#contract/files.ts'

/**
 * Returns the address of the bytes of a file. With `inline` the server sends an image as an image; it sends files that could run scripts as
 * downloads.
 */
export function getContentAddress(id: string, disposition?: 'inline'): string {
  const address = fileRoutes.content.path.replace('{id}', id)
  return disposition ? `${address}?disposition=${disposition}` : address
}
