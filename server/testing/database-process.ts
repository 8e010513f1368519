import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** A Foyer in a process of its own, cut down to its database, for tests that kill it. */
export type Holder = {
  process: ChildProcess
  /** What it said first: "up", or why it could not start. */
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
export async function startHolder(folder: string, named = true): Promise<Holder> {
  const child = spawnHolder(folder, named)
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

/** The same without waiting. The channel between us keeps the process alive, and ends it with us. */
export function spawnHolder(folder: string, named = true): ChildProcess {
  return spawn(process.execPath, ['--input-type=module', '-e', program, JSON.stringify({ folder, named })], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
}
