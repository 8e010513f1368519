import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorCode } from '#server/platform/error-code.ts'

export type SmallDisk = Disposable & {
  folder: string
  /** Uses all space that is left, or this number of bytes. Returns the function that frees it. */
  fill: (bytes?: number) => () => void
  setReadOnly: (isReadOnly: boolean) => void
}

type Options = { maxNames?: number; megabytes?: number; folder?: string }

/**
 * Makes a disk in memory with at most `maxNames` files and folders, in an empty folder. Returns undefined without the rights of root. The
 * default is a disk of 12 MB.
 */
export function mountSmallDisk({
  maxNames = 100,
  megabytes = 12,
  folder = mkdtempSync(join(tmpdir(), 'foyer-small-disk-')),
}: Options = {}): SmallDisk | undefined {
  mkdirSync(folder, { recursive: true })
  const mount = (...options: string[]): void => void execFileSync('mount', [...options, 'tmpfs', folder], { stdio: 'ignore' })
  try {
    mount('-t', 'tmpfs', '-o', `size=${megabytes}m,nr_inodes=${maxNames}`)
  } catch {
    rmSync(folder, { recursive: true })
    return undefined
  }
  return {
    folder,
    fill: (bytes) => {
      const path = join(folder, `filler-${Date.now()}-${Math.random()}`)
      if (bytes === undefined) writeUntilFull(path)
      else writeFileSync(path, Buffer.alloc(bytes))
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
