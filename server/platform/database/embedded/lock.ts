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

const Holder = z.object({
  pid: z.number(),
  host: z.string(),
  since: z.string(),
  address: z.optional(z.string()),
  stopping: z.boolean(),
})
type Holder = z.infer<typeof Holder>

/** `announce` sets the address that the refusal of a second start names. */
export type Lock = { announce: (address: string) => void; release: () => Promise<void> }

/** How long to wait for the process that holds the lock: before it has been told to stop, and while it stops. */
type Timeouts = { runningMs: number; stoppingMs: number }

/** npm ends up to 1.2 s before the server that it started is told to stop, so a quick restart finds a holder that still runs. */
const defaultTimeouts: Timeouts = { runningMs: 2000, stoppingMs: 5000 }

/**
 * Lets one server run for each data folder. The lock is a listening socket, which stops answering when its process dies. Sockets are
 * numbered, and the numbers only grow: a start that finds the last socket dead links its own under the next number, which the kernel
 * allows once, so of many starts at the same time one gets the lock. `folder` holds the sockets, `owned` is the folder in error messages.
 * Waits a few seconds for a holder that is stopping, then throws an `OperatorError` that names the holder.
 */
export async function takeLock(folder: string, owned: string, timeouts: Timeouts = defaultTimeouts): Promise<Lock> {
  const self: Omit<Holder, 'stopping'> = { pid: process.pid, host: hostname(), since: new Date().toISOString() }
  let released = false
  const candidate = join(folder, `candidate-${randomUUID().slice(0, 8)}`)
  const server = await listen(candidate, () => JSON.stringify({ ...self, stopping: released || isStopping() }))
  const release = (): Promise<void> => {
    released = true
    return new Promise((done) => server.close(() => done()))
  }
  try {
    await waitForLock(folder, candidate, owned, timeouts)
  } catch (error) {
    await release()
    throw error
  }
  return { announce: (address) => Object.assign(self, { address }), release }
}

/** The socket listens before it gets its final name, so a socket that does not answer is dead for good. */
function listen(path: string, answer: () => string): Promise<Server> {
  const server = createServer((connection) => connection.on('error', () => connection.destroy()).end(answer()))
  return new Promise((done, fail) => {
    server.once('error', fail).listen(path, () => done(server.unref()))
  })
}

async function waitForLock(folder: string, candidate: string, owned: string, timeouts: Timeouts): Promise<void> {
  const started = Date.now()
  for (;;) {
    const last = numbersIn(folder)[0] ?? 0
    const answer = last > 0 ? await readGreeting(lockSocket(folder, last)) : undefined
    if (answer === undefined && claim(folder, candidate, last + 1)) return
    if (answer === undefined) continue // another start was faster
    const holder = read(answer)
    const limitMs = holder?.stopping ? timeouts.stoppingMs : timeouts.runningMs
    if (Date.now() - started >= limitMs) throw new OperatorError(describe(holder, owned))
    await sleep(50)
  }
}

function claim(folder: string, candidate: string, number: number): boolean {
  try {
    linkSync(candidate, lockSocket(folder, number))
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
  const [newest, ...older] = numbersIn(folder)
  if (newest !== number) {
    rmSync(lockSocket(folder, number), { force: true }) // other processes took and released newer numbers meanwhile
    return false
  }
  for (const old of older) rmSync(lockSocket(folder, old), { force: true })
  rmSync(candidate, { force: true })
  removeDeadCandidates(folder)
  return true
}

/** Starts that were killed while they waited leave them; a living one waits a few seconds at most. */
function removeDeadCandidates(folder: string): void {
  for (const name of readdirSync(folder).filter((found) => found.startsWith('candidate-'))) {
    const made = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - made > 60_000) rmSync(join(folder, name), { force: true })
  }
}

const lockSocket = (folder: string, number: number): string => join(folder, `owner-${number}`)

/** Newest first. */
function numbersIn(folder: string): number[] {
  const numbers = readdirSync(folder).map((name) => Number(/^owner-(\d+)$/.exec(name)?.[1] ?? 0))
  return numbers.filter((number) => number > 0).toSorted((a, b) => b - a)
}

function read(answer: string): Holder | undefined {
  try {
    return Holder.parse(JSON.parse(answer))
  } catch {
    return undefined // the holder lives but gives no usable answer
  }
}

function describe(holder: Holder | undefined, owned: string): string {
  const remedy = 'stop that one first, or give this one a folder of its own with FOYER_DATA.'
  if (!holder) return `The data folder ${owned} is in use by a process that does not answer: ${remedy}`
  const where = holder.address ? ` at ${holder.address}` : ''
  return `The data folder ${owned} is in use by the Foyer${where} (process ${holder.pid} on ${holder.host} since ${holder.since}): ${remedy}`
}
