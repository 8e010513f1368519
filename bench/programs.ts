import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Order, Outcome } from './load.ts'
import type { Person } from './people.ts'

type Program = { port: number; stop: () => Promise<void> }

/** The server without what makes the product, on the same database. */
export async function startBare(socketFolder: string): Promise<Program> {
  const { child, lines } = startOwn('bare.ts', socketFolder)
  const { port }: { port: number } = JSON.parse(await nextLine(lines))
  return { port, stop: () => end(child) }
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
