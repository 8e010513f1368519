import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from '../../operator-error.ts'
import { readGreeting } from './sockets.ts'
import { errorCode } from '#server/platform/error-code.ts'

/** Linux shows the folder and the program of every process; elsewhere a database is known only by its process id. */
const hasProc = existsSync('/proc/self/cwd')

/**
 * Ends the database that a killed server left running in `folder`, then its child processes; the caller holds the lock. It is not
 * reused, because it may run with the settings and the program of an older Foyer. `socket` is the path of its socket.
 * Throws an `OperatorError` if it still answers afterwards, which only a database in another container can.
 */
export async function endOrphans(folder: string, socket: string): Promise<void> {
  const orphan = findOrphan(folder)
  if (orphan) await end(orphan, folder)
  await killProgramsIn(folder)
  if (await keepsAnswering(socket)) {
    throw new OperatorError(
      `A database that this process cannot see, perhaps in another container, still serves ${folder}: stop that one first.`,
    )
  }
  // PostgreSQL would take any process with the old id for the old database, and after a reboot there often is one
  if (hasProc) for (const left of [join(folder, 'postmaster.pid'), socket, `${socket}.lock`]) rmSync(left, { force: true })
}

/** The system closes the socket of a killed program a moment after the process has ended. */
async function keepsAnswering(socket: string): Promise<boolean> {
  for (const since = Date.now(); Date.now() - since < 3000; await sleep(50)) if ((await readGreeting(socket)) === undefined) return false
  return true
}

/**
 * Kills every PostgreSQL process that runs in a folder and waits for their end, five seconds at most: they may write until then.
 * Child processes of a killed database that are busy with a query go on and hold the shared memory that a new database needs.
 */
export async function killProgramsIn(folder: string): Promise<void> {
  for (const since = Date.now(); Date.now() - since < 5000; await sleep(10)) {
    const ids = programsIn(folder)
    if (ids.length === 0) return
    for (const id of ids) signal(id, 'SIGKILL')
  }
}

function programsIn(folder: string): number[] {
  if (!hasProc) return []
  const ids = readdirSync('/proc').map(Number)
  return ids.filter((id) => id > 0 && runsIn(id, folder))
}

function runsIn(id: number, folder: string): boolean {
  try {
    // a program whose file was replaced reads "postgres (deleted)"
    return readlinkSync(`/proc/${id}/cwd`) === folder && /^(postgres|initdb)( |$)/.test(basename(readlinkSync(`/proc/${id}/exe`)))
  } catch {
    return false // the process has ended, or belongs to another user
  }
}

function findOrphan(folder: string): number | undefined {
  const file = join(folder, 'postmaster.pid')
  const id = existsSync(file) ? parseInt(readFileSync(file, 'utf8')) : NaN
  return id > 0 && isDatabase(id, folder) ? id : undefined
}

function isDatabase(id: number, folder: string): boolean {
  if (hasProc) return runsIn(id, folder)
  const { stdout } = spawnSync('ps', ['-o', 'comm=', '-p', String(id)], { encoding: 'utf8' })
  return basename(stdout.trim()) === 'postgres'
}

/** First a fast shutdown that writes everything, then an immediate one, then a kill. */
async function end(id: number, folder: string): Promise<void> {
  for (const [name, timeoutMs] of [
    ['SIGINT', 30_000],
    ['SIGQUIT', 5000],
    ['SIGKILL', 2000],
  ] as const) {
    signal(id, name)
    for (const since = Date.now(); Date.now() - since < timeoutMs; await sleep(20)) if (!isDatabase(id, folder)) return
  }
}

function signal(id: number, name: NodeJS.Signals): void {
  try {
    process.kill(id, name)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}
