// Starts a program of Foyer that is expected to end by itself, such as a server that refuses to start.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

const root = new URL('../..', import.meta.url)

/** The exit code of a program, and everything that it has printed. */
export type ProgramEnd = { code: number | null; output: string }

/** Runs a program of Foyer with these settings until it ends. A program that does not end is killed after 60 s. */
export async function runUntilEnd(settings: Record<string, string>, program = 'server/main.ts'): Promise<ProgramEnd> {
  const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: 'node_modules/.cache/node', FOYER_LOG: 'warn', ...settings }
  const child = spawn(process.execPath, [program], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 60_000 })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await exited, output: output + errors }
}
