import { closeSync, mkdtempSync, openSync, rmSync, symlinkSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder of sockets under a name short enough for the kernel. */
export type SocketFolder = { path: string; close: () => void }

/** The address of a socket holds 103 bytes (macOS) or 107 (Linux), and the longest name in the folder takes about 25. */
const longestFolder = 78

/**
 * A name for the folder that sockets in it can be opened by, however deep it lies; good in this process until `close`.
 * The sockets themselves stay in the folder, where every other process finds them too.
 */
export function openSocketFolder(folder: string): SocketFolder {
  if (Buffer.byteLength(folder) <= longestFolder) return { path: folder, close: () => {} }
  if (process.platform === 'linux') {
    const descriptor = openSync(folder, 'r')
    return { path: `/proc/self/fd/${descriptor}`, close: () => closeSync(descriptor) }
  }
  const home = mkdtempSync(join(tmpdir(), 'foyer-'))
  symlinkSync(folder, join(home, 'run'))
  return { path: join(home, 'run'), close: () => rmSync(home, { recursive: true, force: true }) }
}

/**
 * What the listener on a socket says before it hangs up: '' when it says nothing within a second or cannot be asked,
 * undefined when nobody listens.
 */
export function ask(socket: string): Promise<string | undefined> {
  return new Promise((done) => {
    let said = ''
    const connection = connect(socket)
    connection.setEncoding('utf8').setTimeout(1000, () => {
      connection.destroy()
      done('')
    })
    connection.on('data', (part: string) => {
      said += part
    })
    connection.on('end', () => done(said))
    connection.on('error', (error: NodeJS.ErrnoException) => done(['ECONNREFUSED', 'ENOENT'].includes(error.code ?? '') ? undefined : ''))
  })
}
