import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** A child process that runs the embedded database without the application. Tests kill it. */
export type DatabaseProcess = {
  process: ChildProcess
  /** The first message of the process: "up", or the error with which the start failed. */
  firstMessage: string
  end: (signal: NodeJS.Signals) => Promise<void>
}

const program = `
  import { startEmbedded } from '${new URL('../platform/database/embedded/start.ts', import.meta.url).href}'
  import { stopOnSignal } from '${new URL('../platform/process.ts', import.meta.url).href}'
  try {
    const database = await startEmbedded(JSON.parse(process.argv[1]))
    stopOnSignal(database.stop)
    database.setLockAddress('http://foyer.example')
    process.send('up')
  } catch (error) {
    process.send(error.message, () => process.exit(1))
  }
`

/**
 * Starts the database in `folder` in a child process and waits for its first message. `isConfigured`: whether the operator set the folder.
 */
export async function startDatabaseProcess(folder: string, { isConfigured = true } = {}): Promise<DatabaseProcess> {
  const child = spawnDatabaseProcess(folder, { isConfigured })
  const [message] = await Promise.race([once(child, 'message'), once(child, 'exit')]) // it may end before it sends anything
  return {
    process: child,
    firstMessage: String(message),
    end: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill(signal)
      await exited
    },
  }
}

/** Starts the child process without waiting. It ends when the IPC channel to this process closes. */
export function spawnDatabaseProcess(folder: string, { isConfigured = true } = {}): ChildProcess {
  return spawn(process.execPath, ['--input-type=module', '-e', program, JSON.stringify({ folder, isConfigured })], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}
