import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorCode } from '#server/platform/error-code.ts'

export type SmallDisk = Disposable & {
  folder: string
  /** Uses all space that is left. Returns the function that frees it. */
  fill: () => () => void
  setReadOnly: (isReadOnly: boolean) => void
}

/** Makes a disk of 12 MB in memory with at most `maxNames` files and folders. Returns undefined without the rights of root. */
export function mountSmallDisk(maxNames = 100): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-small-disk-'))
  const mount = (...options: string[]): void => void execFileSync('mount', [...options, 'tmpfs', folder], { stdio: 'ignore' })
  try {
    mount('-t', 'tmpfs', '-o', `size=12m,nr_inodes=${maxNames}`)
  } catch {
    rmSync(folder, { recursive: true })
    return undefined
  }
  return {
    folder,
    fill: () => {
      const path = join(folder, 'filler')
      writeUntilFull(path)
      return () => rmSync(path)
    },
    setReadOnly: (isReadOnly) => mount('-o', `remount,${isReadOnly ? 'ro' : 'rw'}`),
    [Symbol.dispose]: () => {
      execFileSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true })
    },
  }
}

function writeUntilFull(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (;;) writeSync(file, Buffer.alloc(4096))
  } catch (error) {
    if (errorCode(error) !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
}
