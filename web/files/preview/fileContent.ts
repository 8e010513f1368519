import { fileRoutes } from '#contract/files.ts'

/**
 * Returns the address of the bytes of a file. With `inline` the server sends a file so that the browser shows it. Files that could run
 * scripts are always sent as downloads.
 */
export function getContentAddress(id: string, disposition?: 'inline'): string {
  const address = fileRoutes.content.path.replace('{id}', id)
  return disposition ? `${address}?disposition=${disposition}` : address
}
