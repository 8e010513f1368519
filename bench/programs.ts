// Starts the other processes of the benchmark. A server prints its port as a line of JSON. Each process ends when it gets SIGTERM.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { RoundSpec, Outcome } from './load.ts'
import type { OwnedContact } from './owners.ts'

type Program = { port: number; stop: () => Promise<void> }

/** Starts the bare server on the PostgreSQL of the product, whose socket is in this folder. */
export async function startBareServer(socketFolder: string): Promise<Program> {
  const { child, lines } = startProgram('bare.ts', socketFolder)
  const { port }: { port: number } = JSON.parse(await nextLine(lines))
  return { port, stop: () => end(child) }
}

/** Starts the bare file server. It writes the parts of uploads to `folder`, and sends `file` in response to every download. */
export async function startBareFileServer(folder: string, file: string): Promise<Program & { pid: number }> {
  const { child, lines } = startProgram('bare-files.ts', folder, file)
  const { port, pid }: { port: number; pid: number } = JSON.parse(await nextLine(lines))
  return { port, pid, stop: () => end(child) }
}

/** Starts the stand-in of an AI endpoint. `begin` makes it begin all answers that were requested. */
export async function startAnswerEndpoint(): Promise<Program & { begin: () => void }> {
  const { child, lines } = startProgram('answer-endpoint.ts')
  const { port }: { port: number } = JSON.parse(await nextLine(lines))
  return { port, begin: () => child.stdin.write('\n'), stop: () => end(child) }
}

/** Starts the load generator for these contacts. It runs one round at a time. */
export function startLoad(contactsOfOwners: OwnedContact[]): { run: (round: RoundSpec) => Promise<Outcome>; stop: () => Promise<void> } {
  const { child, lines } = startProgram('load.ts')
  const writeLine = (line: unknown): unknown => child.stdin.write(`${JSON.stringify(line)}\n`)
  writeLine(contactsOfOwners)
  return {
    run: async (round) => {
      writeLine(round)
      return JSON.parse(await nextLine(lines))
    },
    stop: () => end(child),
  }
}

function startProgram(file: string, ...programArguments: string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...programArguments], { stdio: ['pipe', 'pipe', 'inherit'] })
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
}

async function nextLine(lines: AsyncIterator<string>): Promise<string> {
  const { value, done } = await lines.next()
  if (done) throw new Error('A benchmark process exited unexpectedly')
  return value
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}
