import { randomUUID } from 'node:crypto'
import { linkSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod/mini'
import { OperatorError } from '../../operator-error.ts'
import { isStopping } from '../../process.ts'
import { readGreeting } from './sockets.ts'
import { errorCode } from '#server/platform/error-code.ts'

/** The process that holds the lock. It sends this description as JSON to each connection. */
const Holder = z.object({
  pid: z.number(),
  host: z.string(),
  since: z.string(),
  address: z.optional(z.string()),
  stopping: z.boolean(),
})
type Holder = z.infer<typeof Holder>

/** `setLockAddress` sets the address that is shown when a second start is refused. */
export type Lock = { setLockAddress: (address: string) => void; release: () => Promise<void> }

/** The time to wait for the process that holds the lock: while it runs (`runningMs`), and while it stops (`stoppingMs`). */
type Timeouts = { runningMs: number; stoppingMs: number }

/**
 * A start waits for a holder that is still running, because after `npm start` was stopped, npm can end 1.2 s before its server gets the
 * signal.
 */
const defaultTimeouts: Timeouts = { runningMs: 2000, stoppingMs: 5000 }

/**
 * Takes the lock of a data folder, so that only one server uses it. The lock is a listening socket, which refuses connections after its
 * process has ended. The sockets have increasing numbers: a process that finds the last socket dead links its own socket under the next
 * number. The kernel allows this only once, so that one of several concurrent starts gets the lock. `folder`: the folder of the sockets.
 * `dataFolder`: the path of the data folder, for error messages. Waits a few seconds for the holder to stop, then throws an
 * `OperatorError` that describes the holder.
 */
export async function takeLock(folder: string, dataFolder: string, timeouts: Timeouts = defaultTimeouts): Promise<Lock> {
  /** The socket has this name until it becomes `owner-<number>`. */
  const candidate = join(folder, `candidate-${randomUUID().slice(0, 8)}`)
  const ownProcess: Omit<Holder, 'stopping'> = { pid: process.pid, host: hostname(), since: new Date().toISOString() }
  let isReleased = false
  const server = await listen(candidate, () => JSON.stringify({ ...ownProcess, stopping: isReleased || isStopping() }))
  const release = (): Promise<void> => {
    isReleased = true
    return new Promise((resolve) => server.close(() => resolve()))
  }
  try {
    await waitForLock(folder, candidate, dataFolder, timeouts)
  } catch (error) {
    await release()
    throw error
  }
  return { setLockAddress: (address) => Object.assign(ownProcess, { address }), release }
}

/** Creates a listening socket. It gets its final name later, so a socket with a final name that refuses connections is dead. */
function listen(path: string, greeting: () => string): Promise<Server> {
  const server = createServer((connection) => connection.on('error', () => connection.destroy()).end(greeting()))
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(path, () => resolve(server.unref()))
  })
}

/** Waits until the lock is free and takes it. Throws when the holder runs longer than the timeouts allow. */
async function waitForLock(folder: string, candidate: string, dataFolder: string, timeouts: Timeouts): Promise<void> {
  const startedAt = Date.now()
  for (;;) {
    const last = socketNumbers(folder)[0] ?? 0
    const greeting = last > 0 ? await readGreeting(lockSocket(folder, last)) : undefined
    if (greeting === undefined && claim(folder, candidate, last + 1)) return
    if (greeting === undefined) continue // another start was faster
    const holder = parseHolder(greeting)
    const limitMs = holder?.stopping ? timeouts.stoppingMs : timeouts.runningMs
    if (Date.now() - startedAt >= limitMs) throw new OperatorError(describeHolder(holder, dataFolder))
    await sleep(50)
  }
}

/** Tries to become the holder by linking the socket under this number. Returns false if another process was faster. */
function claim(folder: string, candidate: string, number: number): boolean {
  try {
    linkSync(candidate, lockSocket(folder, number))
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
  const [newest, ...older] = socketNumbers(folder)
  if (newest !== number) {
    rmSync(lockSocket(folder, number), { force: true }) // other processes have taken and released newer numbers in the meantime
    return false
  }
  for (const old of older) rmSync(lockSocket(folder, old), { force: true })
  rmSync(candidate, { force: true })
  removeDeadCandidates(folder)
  return true
}

/**
 * Removes the sockets of processes that were killed while they waited. A socket older than a minute is dead, because a running process
 * waits only a few seconds.
 */
function removeDeadCandidates(folder: string): void {
  for (const name of readdirSync(folder).filter((file) => file.startsWith('candidate-'))) {
    const createdAt = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - createdAt > 60_000) rmSync(join(folder, name), { force: true })
  }
}

const lockSocket = (folder: string, number: number): string => join(folder, `owner-${number}`)

/** Returns the numbers of the sockets, newest first. */
function socketNumbers(folder: string): number[] {
  const numbers = readdirSync(folder).map((name) => Number(/^owner-(\d+)$/.exec(name)?.[1] ?? 0))
  return numbers.filter((number) => number > 0).toSorted((a, b) => b - a)
}

function parseHolder(greeting: string): Holder | undefined {
  try {
    return Holder.parse(JSON.parse(greeting))
  } catch {
    return undefined // the holder is running but sent no usable greeting
  }
}

function describeHolder(holder: Holder | undefined, dataFolder: string): string {
  const remedy = 'stop that process first, or set FOYER_DATA to another folder for this one.'
  if (!holder) return `The data folder ${dataFolder} is in use by a process that does not answer: ${remedy}`
  const where = holder.address ? ` at ${holder.address}` : ''
  return `The data folder ${dataFolder} is in use by the Foyer${where} (process ${holder.pid} on ${holder.host} since ${holder.since}): ${remedy}`
}
