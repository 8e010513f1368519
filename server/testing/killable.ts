import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export type KillableProcess = AsyncDisposable & { pid: number; kill: () => Promise<void> }

/**
 * Runs the source of a module in a child process, which the test can kill. `argument` is passed as JSON. Resolves when the process has
 * printed its first line.
 */
export async function startKillable(program: string, argument: unknown): Promise<KillableProcess> {
  // the child process ends when the IPC channel to this process closes
  const source = `process.on('disconnect', () => process.exit())\n${program}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source, JSON.stringify(argument)], {
    cwd: new URL('../..', import.meta.url),
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  if (!child.stdout) throw new Error('The process has no output')
  await once(createInterface({ input: child.stdout }), 'line')
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  return { pid: child.pid ?? 0, kill, [Symbol.asyncDispose]: kill }
}
