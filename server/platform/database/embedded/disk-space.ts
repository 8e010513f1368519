// Finds out whether the embedded database cannot run because its disk is full.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readFreeBytes } from '../disk-watch.ts'
import { errorCode } from '../../error-code.ts'
import { OperatorError } from '../../operator-error.ts'

/** The start failed, or would fail, because a disk is full. */
export class DiskFullError extends OperatorError {
  override name = 'DiskFullError'
}

/** The space with which PostgreSQL starts and recovers: two files of its write-ahead log, of 16 MB each. */
const minBytes = 32 * 2 ** 20
/** The space for a new database, with the write-ahead log of its first migrations. */
const minNewBytes = 128 * 2 ** 20
const checkEveryMs = 500

/** Returns the folders on the disks of the database. The write-ahead log may be on another disk, through a link that the operator made. */
export const listDatabaseFolders = (dataFolder: string): string[] => [dataFolder, join(dataFolder, 'pg/pg_wal')]

/** Throws a `DiskFullError` if a disk of the database has too little space for a start. */
export function requireSpace(dataFolder: string): void {
  const error = findFullDisk(dataFolder, existsSync(join(dataFolder, 'pg/PG_VERSION')) ? minBytes : minNewBytes)
  if (error) throw error
}

/** Resolves when all disks of the database have space for a start, or when `isStopping` returns true. */
export async function waitForSpace(dataFolder: string, isStopping: () => boolean): Promise<void> {
  while (!isStopping() && findFullDisk(dataFolder)) await sleep(checkEveryMs, undefined, { ref: false })
}

/** Returns the error that says which disk has less than `bytes` free; undefined if all disks have more. */
export function findFullDisk(dataFolder: string, bytes = minBytes): DiskFullError | undefined {
  for (const folder of listDatabaseFolders(dataFolder)) {
    const freeBytes = readFreeBytes(folder)
    if (freeBytes < bytes)
      return new DiskFullError(
        `The disk of ${folder} is full (${toMegabytes(freeBytes)} MB free, ${toMegabytes(bytes)} MB needed): free some space, then start again.`,
      )
  }
  return undefined
}

/** Returns the error that says which disk is full, if `error` may come from a full disk; otherwise `error`. */
export function explainFullDisk(dataFolder: string, error: unknown): unknown {
  if (error instanceof OperatorError || !(error instanceof Error)) return error
  const isDiskFull = ['53100', 'ENOSPC', 'EDQUOT'].some((code) => errorCode(error) === code || errorCode(error.cause) === code)
  const isOtherFileError = 'syscall' in error && !isDiskFull
  const fullDiskError = isOtherFileError ? undefined : findFullDisk(dataFolder)
  if (fullDiskError) return fullDiskError
  if (!isDiskFull) return error
  return new DiskFullError(`The disk of ${dataFolder} is full (${error.message}): free some space, then start again.`, { cause: error })
}

const toMegabytes = (bytes: number): number => Math.floor(bytes / 2 ** 20)
