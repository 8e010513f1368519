// Watches the free space of the database's disk, so that work which needs much space is refused before PostgreSQL stops.
import { statfsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'

/**
 * The space of the database's disk. `low`: large changes, undo and uploads are refused. The delete of more than 50 records, or of records
 * with more than 1,000 dependents, is a large change. `full`: also, nothing is created or edited. Reading, sign-in, small deletes and
 * erasing are always possible.
 */
export type DiskState = 'enough' | 'low' | 'full'

/** Says how much space the disk of the database has. */
export type DiskWatch = {
  /** The state at the last check of the free space. */
  state: () => DiskState
  /** Called when PostgreSQL has reported a full disk, which may be another disk than the watched one. */
  reportFull: () => void
  /** Whether the disk is `full`, or PostgreSQL has reported a full disk in the last ten seconds. */
  isFull: () => boolean
  stop: () => void
}

/**
 * `folders`: one folder on each disk of the database; empty for an external server. The state is `low` if a disk has less than
 * `minFreeBytes` free, and `full` if it has less than a fifth of `minFreeBytes`. `everyMs`: the interval of the checks, two seconds by
 * default.
 */
export type DiskLimits = { folders: readonly string[]; minFreeBytes: number; everyMs?: number }

/** The time for which the disk counts as full after a report of PostgreSQL. */
const reportValidMs = 10_000

/** Checks the free space immediately and then at intervals. Ignores a folder that cannot be checked, such as one that does not exist. */
export function watchDisk({ folders, minFreeBytes, everyMs = 2000 }: DiskLimits, log: Pick<FastifyBaseLogger, 'warn' | 'info'>): DiskWatch {
  let state: DiskState = judge(Math.min(...folders.map(readFreeBytes)), minFreeBytes)
  let reportedAt = -Infinity
  const check = async (): Promise<void> => {
    const freeBytes = await Promise.all(folders.map(readFreeBytesAsync))
    const newState = judge(Math.min(...freeBytes), minFreeBytes)
    if (newState === state) return
    state = newState
    if (newState === 'enough') log.info('disk: there is enough space again')
    else log.warn({ state, freeBytes: Math.min(...freeBytes) }, 'disk: there is too little space')
  }
  const timer = folders.length > 0 ? setInterval(() => void check(), everyMs).unref() : undefined
  return {
    state: () => state,
    reportFull: () => void (reportedAt = performance.now()),
    isFull: () => state === 'full' || performance.now() - reportedAt < reportValidMs,
    stop: () => clearInterval(timer),
  }
}

/** Returns the state of a disk with this free space. */
function judge(freeBytes: number, minFreeBytes: number): DiskState {
  if (freeBytes < minFreeBytes / 5) return 'full'
  return freeBytes < minFreeBytes ? 'low' : 'enough'
}

/** Returns the free bytes of the disk with this folder; Infinity if the folder cannot be checked. */
export function readFreeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return Infinity
  }
}

/** Does the same as `readFreeBytes` without blocking the process. */
const readFreeBytesAsync = (folder: string): Promise<number> =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => Infinity,
  )
