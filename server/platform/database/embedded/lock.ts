import { randomUUID } from 'node:crypto'
import { linkSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod/mini'
import { OperatorError } from '../../operator-error.ts'
import { isStopping } from '../../process.ts'
import { ask } from './sockets.ts'
import { errorCode } from '#server/platform/error-code.ts'

const Holder = z.object({
  pid: z.number(),
  host: z.string(),
  since: z.string(),
  address: z.optional(z.string()),
  stopping: z.boolean(),
})
type Holder = z.infer<typeof Holder>

/** `announce` tells whoever is refused where this Foyer can be opened. */
export type Lock = { announce: (address: string) => void; release: () => Promise<void> }

/** How long a holder is waited for: while it does not know that it has to stop, and while it is stopping. */
type Patience = { unawareMs: number; stoppingMs: number }

/** npm is gone up to 1.2 s before the server behind it hears of it, so a quick restart finds a holder that knows nothing yet. */
const usualPatience: Patience = { unawareMs: 2000, stoppingMs: 5000 }

/**
 * One living server for each data folder. The lock is a listening socket, which the kernel silences when its process dies.
 * Its name carries a number that only grows: who finds the last one silent takes the next, and the kernel gives a name but once,
 * so of any number of starts that find the same silent socket one wins. `folder` holds the sockets, `owned` is what it guards.
 * Waits a few seconds for a holder that is stopping, then throws a `OperatorError` that says who holds it.
 */
export async function takeLock(folder: string, owned: string, patience: Patience = usualPatience): Promise<Lock> {
  const self: Omit<Holder, 'stopping'> = { pid: process.pid, host: hostname(), since: new Date().toISOString() }
  let released = false
  const candidate = join(folder, `candidate-${randomUUID().slice(0, 8)}`)
  const server = await listen(candidate, () => JSON.stringify({ ...self, stopping: released || isStopping() }))
  const release = (): Promise<void> => {
    released = true
    return new Promise((done) => server.close(() => done()))
  }
  try {
    await waitForTurn(folder, candidate, owned, patience)
  } catch (error) {
    await release()
    throw error
  }
  return { announce: (address) => Object.assign(self, { address }), release }
}

/** Already listening when its name appears, so that a socket that is silent once is silent for ever. */
function listen(path: string, answer: () => string): Promise<Server> {
  const server = createServer((connection) => connection.on('error', () => connection.destroy()).end(answer()))
  return new Promise((done, fail) => {
    server.once('error', fail).listen(path, () => done(server.unref()))
  })
}

async function waitForTurn(folder: string, candidate: string, owned: string, patience: Patience): Promise<void> {
  const started = Date.now()
  for (;;) {
    const last = numbersIn(folder)[0] ?? 0
    const answer = last > 0 ? await ask(ownerSocket(folder, last)) : undefined
    if (answer === undefined && claim(folder, candidate, last + 1)) return
    if (answer === undefined) continue // another start was faster
    const holder = read(answer)
    const limitMs = holder?.stopping ? patience.stoppingMs : patience.unawareMs
    if (Date.now() - started >= limitMs) throw new OperatorError(describe(holder, owned))
    await sleep(50)
  }
}

function claim(folder: string, candidate: string, number: number): boolean {
  try {
    linkSync(candidate, ownerSocket(folder, number))
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
  const [newest, ...older] = numbersIn(folder)
  if (newest !== number) {
    rmSync(ownerSocket(folder, number), { force: true }) // we looked long ago, and others came and went meanwhile
    return false
  }
  for (const old of older) rmSync(ownerSocket(folder, old), { force: true })
  rmSync(candidate, { force: true })
  removeDeadCandidates(folder)
  return true
}

/** Left by starts that were killed while they waited; a living one waits a few seconds at most. */
function removeDeadCandidates(folder: string): void {
  for (const name of readdirSync(folder).filter((found) => found.startsWith('candidate-'))) {
    const made = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - made > 60_000) rmSync(join(folder, name), { force: true })
  }
}

const ownerSocket = (folder: string, number: number): string => join(folder, `owner-${number}`)

/** Newest first. */
function numbersIn(folder: string): number[] {
  const numbers = readdirSync(folder).map((name) => Number(/^owner-(\d+)$/.exec(name)?.[1] ?? 0))
  return numbers.filter((number) => number > 0).toSorted((a, b) => b - a)
}

function read(answer: string): Holder | undefined {
  try {
    return Holder.parse(JSON.parse(answer))
  } catch {
    return undefined // it lives, and that is all we can say of it
  }
}

function describe(holder: Holder | undefined, owned: string): string {
  const remedy = 'stop that one first, or give this one a folder of its own with FOYER_DATA.'
  if (!holder) return `The data folder ${owned} is in use by a process that does not answer: ${remedy}`
  const where = holder.address ? ` at ${holder.address}` : ''
  return `The data folder ${owned} is in use by the Foyer${where} (process ${holder.pid} on ${holder.host} since ${holder.since}): ${remedy}`
}
