import { closeSync, mkdtempSync, openSync, rmSync, symlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A path of a folder of sockets, valid until `close`. */
export type SocketFolder = { path: string; close: () => void }

/** The path of a socket can have 103 bytes on macOS and 107 on Linux. 25 of them are for the name of the socket in the folder. */
const maxFolderBytes = 78

/**
 * Returns a path of the folder that is short enough for sockets: the folder itself, or a link to it. The link is valid in this process
 * until `close`; the sockets are in the folder itself.
 */
export function openSocketFolder(folder: string): SocketFolder {
  if (Buffer.byteLength(folder) <= maxFolderBytes) return { path: folder, close: () => {} }
  if (process.platform === 'linux') {
    const descriptor = openSync(folder, 'r')
    return { path: `/proc/self/fd/${descriptor}`, close: () => closeSync(descriptor) }
  }
  const linkFolder = mkdtempSync(join(tmpdir(), 'foyer-'))
  symlinkSync(folder, join(linkFolder, 'run'))
  return { path: join(linkFolder, 'run'), close: () => rmSync(linkFolder, { recursive: true, force: true }) }
}

/**
 * Returns the text that the process on a socket sends before it closes the connection; '' if it sends nothing within a second or the
 * socket cannot be opened; undefined if no process listens on the socket.
 */
export function readGreeting(socket: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = ''
    const connection = connect(socket)
    connection.setEncoding('utf8').setTimeout(1000, () => {
      connection.destroy()
      resolve('')
    })
    connection.on('data', (part: string) => {
      text += part
    })
    connection.on('end', () => resolve(text))
    connection.on('error', (error: NodeJS.ErrnoException) => {
      const isNobodyListening = ['ECONNREFUSED', 'ENOENT'].includes(error.code ?? '')
      resolve(isNobodyListening ? undefined : '')
    })
  })
}
