/**
 * Lets the browser download an address of this server, so that a large file is not held in memory. `name` is used where the server names no
 * file. Because of `download` an error does not replace the page.
 */
export function startDownload(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
