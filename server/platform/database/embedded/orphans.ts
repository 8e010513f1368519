import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { OperatorError } from '../../operator-error.ts'
import { ask } from './sockets.ts'
import { errorCode } from '#server/platform/error-code.ts'

/** Linux tells of every process where it stands and what it runs; elsewhere we know a database only by its process id. */
const hasProc = existsSync('/proc/self/cwd')

/**
 * Ends what a killed server left on the cluster in `folder`, for whoever holds the lock: the database itself, then any of its
 * children. It is not taken over, because it may run with the settings and the program of an older Foyer. `socket` is the path of
 * its socket. Throws a `OperatorError` if it still answers afterwards, which only one in another container can.
 */
export async function endLeftovers(folder: string, socket: string): Promise<void> {
  const orphan = findOrphan(folder)
  if (orphan) await end(orphan, folder)
  await killAllOn(folder)
  if (await goesOnAnswering(socket)) {
    throw new OperatorError(
      `A database that this process cannot see, perhaps in another container, still serves ${folder}: stop that one first.`,
    )
  }
  // PostgreSQL takes any process with the old one's id for the old one, and after a reboot there often is such a process
  if (hasProc) for (const left of [join(folder, 'postmaster.pid'), socket, `${socket}.lock`]) rmSync(left, { force: true })
}

/** The system closes the socket of a killed program a moment after it is gone. */
async function goesOnAnswering(socket: string): Promise<boolean> {
  for (const since = Date.now(); Date.now() - since < 3000; await sleep(50)) if ((await ask(socket)) === undefined) return false
  return true
}

/**
 * Kills every program of PostgreSQL that stands in a folder, and waits until they are gone, for at most five seconds: until then they
 * write. Children of a killed database that are busy in a query do not notice its death, and hold the shared memory that a new one needs.
 */
export async function killAllOn(folder: string): Promise<void> {
  for (const since = Date.now(); Date.now() - since < 5000; await sleep(10)) {
    const ids = programsOn(folder)
    if (ids.length === 0) return
    for (const id of ids) signal(id, 'SIGKILL')
  }
}

function programsOn(folder: string): number[] {
  if (!hasProc) return []
  const ids = readdirSync('/proc').map(Number)
  return ids.filter((id) => id > 0 && standsIn(id, folder))
}

function standsIn(id: number, folder: string): boolean {
  try {
    // a program that has been replaced since reads "postgres (deleted)"
    return readlinkSync(`/proc/${id}/cwd`) === folder && /^(postgres|initdb)( |$)/.test(basename(readlinkSync(`/proc/${id}/exe`)))
  } catch {
    return false // it has gone, or is not ours to look at
  }
}

function findOrphan(folder: string): number | undefined {
  const file = join(folder, 'postmaster.pid')
  const id = existsSync(file) ? parseInt(readFileSync(file, 'utf8')) : NaN
  return id > 0 && isDatabase(id, folder) ? id : undefined
}

function isDatabase(id: number, folder: string): boolean {
  if (hasProc) return standsIn(id, folder)
  const { stdout } = spawnSync('ps', ['-o', 'comm=', '-p', String(id)], { encoding: 'utf8' })
  return basename(stdout.trim()) === 'postgres'
}

/** First as an orderly stop that keeps everything, then faster and faster. */
async function end(id: number, folder: string): Promise<void> {
  for (const [name, patienceMs] of [
    ['SIGINT', 30_000],
    ['SIGQUIT', 5000],
    ['SIGKILL', 2000],
  ] as const) {
    signal(id, name)
    for (const since = Date.now(); Date.now() - since < patienceMs; await sleep(20)) if (!isDatabase(id, folder)) return
  }
}

function signal(id: number, name: NodeJS.Signals): void {
  try {
    process.kill(id, name)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}
