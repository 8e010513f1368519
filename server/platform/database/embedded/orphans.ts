import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from '../../operator-error.ts'
import { readPostmasterFile } from './postmaster-file.ts'
import { readGreeting } from './sockets.ts'
import { errorCode } from '#server/platform/error-code.ts'

// An orphan is a PostgreSQL that runs in the data folder although the Foyer process that started it was killed.

/** Linux provides the working directory and the program of every process; on other systems a database is found by its process id only. */
const hasProcFolder = existsSync('/proc/self/cwd')

/**
 * Ends the database that a killed server left running in `folder`, and its child processes. The caller must hold the lock. The database
 * is not reused, because it may run with the settings and the program of an older Foyer. `socket` is the path of its socket.
 * Throws an `OperatorError` if the socket still accepts connections afterwards, which is possible for a database in another container.
 */
export async function endOrphans(folder: string, socket: string): Promise<void> {
  const orphan = findOrphan(folder)
  if (orphan) await endDatabase(orphan, folder)
  await killProgramsIn(folder)
  if (await isStillListening(socket)) {
    throw new OperatorError(
      `A database that this process cannot see, perhaps in another container, still serves ${folder}: stop that database first.`,
    )
  }
  // after a reboot another process may have the process id in these files, and PostgreSQL would regard that process as the old database
  if (hasProcFolder) for (const path of [join(folder, 'postmaster.pid'), socket, `${socket}.lock`]) rmSync(path, { force: true })
}

/** Returns true if the socket still accepts connections after 3 s. The system closes the socket of a killed program with a short delay. */
async function isStillListening(socket: string): Promise<boolean> {
  const startedAt = Date.now()
  while (Date.now() - startedAt < 3000) {
    if ((await readGreeting(socket)) === undefined) return false
    await sleep(50)
  }
  return true
}

/**
 * Kills every PostgreSQL process that runs in a folder and waits at most 5 s until they have ended, because they may write until then.
 * Child processes of a killed database continue their queries and hold the shared memory that a new database needs.
 */
export async function killProgramsIn(folder: string): Promise<void> {
  const startedAt = Date.now()
  while (Date.now() - startedAt < 5000) {
    const ids = findPrograms(folder)
    if (ids.length === 0) return
    for (const id of ids) sendSignal(id, 'SIGKILL')
    await sleep(10)
  }
}

/** Returns the ids of the PostgreSQL processes that run in a folder. */
function findPrograms(folder: string): number[] {
  if (!hasProcFolder) return []
  const ids = readdirSync('/proc').map(Number)
  return ids.filter((id) => id > 0 && runsIn(id, folder))
}

function runsIn(id: number, folder: string): boolean {
  try {
    // the link of a program whose file was replaced is "postgres (deleted)"
    return readlinkSync(`/proc/${id}/cwd`) === folder && /^(postgres|initdb)( |$)/.test(basename(readlinkSync(`/proc/${id}/exe`)))
  } catch {
    return false // the process has ended, or belongs to another user
  }
}

/** Returns the process id of an orphan. */
function findOrphan(folder: string): number | undefined {
  const id = parseInt(readPostmasterFile(folder)[0] ?? '')
  return id > 0 && isDatabase(id, folder) ? id : undefined
}

/** Returns whether the process is a PostgreSQL in this folder; without /proc, whether it is any PostgreSQL. */
function isDatabase(id: number, folder: string): boolean {
  if (hasProcFolder) return runsIn(id, folder)
  const { stdout } = spawnSync('ps', ['-o', 'comm=', '-p', String(id)], { encoding: 'utf8' })
  return basename(stdout.trim()) === 'postgres'
}

/** Requests a fast shutdown, which writes a checkpoint; then an immediate shutdown; then kills the process. */
async function endDatabase(id: number, folder: string): Promise<void> {
  for (const [name, timeoutMs] of [
    ['SIGINT', 30_000],
    ['SIGQUIT', 5000],
    ['SIGKILL', 2000],
  ] as const) {
    sendSignal(id, name)
    const sentAt = Date.now()
    while (Date.now() - sentAt < timeoutMs) {
      if (!isDatabase(id, folder)) return
      await sleep(20)
    }
  }
}

/** Sends a signal. Ignores the error that the process has ended already (ESRCH). */
function sendSignal(id: number, name: NodeJS.Signals): void {
  try {
    process.kill(id, name)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}
