import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '#server/platform/error-code.ts'

/**
 * Returns the lines of `postmaster.pid`, in which PostgreSQL writes its process id and its state; an empty list if the
 * file does not exist. A new PostgreSQL deletes the file of one that was killed, so the file can disappear at any time.
 */
export function readPostmasterFile(folder: string): string[] {
  try {
    return readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}
