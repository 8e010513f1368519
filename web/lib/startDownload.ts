/**
 * Lets the browser download an address of this server, so that a large file is not held in memory. `name` is the file name if the response
 * has none. The attribute `download` also prevents an error response from replacing the page.
 */
export function startDownload(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
