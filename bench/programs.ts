import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Order, Outcome } from './load.ts'
import type { Person } from './people.ts'

export type Program = { port: number; pid: number; stop: () => Promise<void> }

/** The product as `npm start` runs it, on a data folder of its own. */
export async function startProduct(folder: string): Promise<Program> {
  const port = await freePort()
  const child = spawn(process.execPath, [join(import.meta.dirname, '../server/main.ts')], {
    env: { ...process.env, PORT: String(port), HOST: '127.0.0.1', FOYER_DATA: folder, FOYER_LOG: 'warn', DATABASE_URL: '' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'], // it stops when the channel closes, so that it does not outlive us
  })
  for (let tries = 0; !(await isReady(port)); tries++) {
    if (child.exitCode !== null || tries > 600) throw new Error('The product did not start')
    await sleep(50)
  }
  return { port, pid: child.pid ?? 0, stop: () => end(child) }
}

/** The server without what makes the product, on the same database. */
export async function startBare(socketFolder: string): Promise<Program> {
  const { child, lines } = startOwn('bare.ts', socketFolder)
  const { port }: { port: number } = JSON.parse(await nextLine(lines))
  return { port, pid: child.pid ?? 0, stop: () => end(child) }
}

/** The process that asks, for these people: does one order after the other. */
export function startLoad(people: Person[]): { run: (order: Order) => Promise<Outcome>; stop: () => Promise<void> } {
  const { child, lines } = startOwn('load.ts')
  const tell = (line: unknown): unknown => child.stdin.write(`${JSON.stringify(line)}\n`)
  tell(people)
  return {
    run: async (order) => {
      tell(order)
      return JSON.parse(await nextLine(lines))
    },
    stop: () => end(child),
  }
}

function startOwn(file: string, ...given: string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...given], { stdio: ['pipe', 'pipe', 'inherit'] })
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
}

async function nextLine(lines: AsyncIterator<string>): Promise<string> {
  const { value, done } = await lines.next()
  if (done) throw new Error('A program of the measurement ended')
  return value
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/ready`).then(
    ({ ok }) => ok,
    () => false,
  )

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}
