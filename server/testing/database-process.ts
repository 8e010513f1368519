import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** The embedded database with its server process, without the application, for tests that kill it. */
export type DatabaseProcess = {
  process: ChildProcess
  /** Its first message: "up", or why it could not start. */
  answer: string
  end: (signal: NodeJS.Signals) => Promise<void>
}

const program = `
  import { startEmbedded } from '${new URL('../platform/database/embedded/start.ts', import.meta.url).href}'
  import { stopOnSignal } from '${new URL('../platform/process.ts', import.meta.url).href}'
  try {
    const database = await startEmbedded(JSON.parse(process.argv[1]))
    stopOnSignal(database.stop)
    database.announce('http://foyer.example')
    process.send('up')
  } catch (error) {
    process.send(error.message, () => process.exit(1))
  }
`

/** Starts the database in `folder` in a process of its own and waits for its answer. */
export async function startDatabaseProcess(folder: string, named = true): Promise<DatabaseProcess> {
  const child = spawnDatabaseProcess(folder, named)
  const [answer] = await once(child, 'message')
  return {
    process: child,
    answer: String(answer),
    end: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill(signal)
      await gone
    },
  }
}

/** The same without waiting for the answer. The process ends with this one, when the channel between them closes. */
export function spawnDatabaseProcess(folder: string, named = true): ChildProcess {
  return spawn(process.execPath, ['--input-type=module', '-e', program, JSON.stringify({ folder, named })], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}
