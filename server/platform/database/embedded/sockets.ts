import { closeSync, mkdtempSync, openSync, rmSync, symlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type SocketFolder = { path: string; close: () => void }

/** The path of a socket can have 103 bytes on macOS and 107 on Linux; the longest name in the folder has about 25. */
const maxFolderBytes = 78

/** Returns a path of the folder that is short enough for sockets. It is valid in this process until `close`; the sockets stay in the folder. */
export function openSocketFolder(folder: string): SocketFolder {
  if (Buffer.byteLength(folder) <= maxFolderBytes) return { path: folder, close: () => {} }
  if (process.platform === 'linux') {
    const descriptor = openSync(folder, 'r')
    return { path: `/proc/self/fd/${descriptor}`, close: () => closeSync(descriptor) }
  }
  const home = mkdtempSync(join(tmpdir(), 'foyer-'))
  symlinkSync(folder, join(home, 'run'))
  return { path: join(home, 'run'), close: () => rmSync(home, { recursive: true, force: true }) }
}

/**
 * Returns the text that the process on a socket sends before it closes the connection; '' if it sends nothing within a second or the
 * socket cannot be opened; undefined if no process listens on the socket.
 */
export function readGreeting(socket: string): Promise<string | undefined> {
  return new Promise((done) => {
    let text = ''
    const connection = connect(socket)
    connection.setEncoding('utf8').setTimeout(1000, () => {
      connection.destroy()
      done('')
    })
    connection.on('data', (part: string) => {
      text += part
    })
    connection.on('end', () => done(text))
    connection.on('error', (error: NodeJS.ErrnoException) => done(['ECONNREFUSED', 'ENOENT'].includes(error.code ?? '') ? undefined : ''))
  })
}
