import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { createDatabase, type Database } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { enqueue } from '#server/platform/jobs/enqueue.ts'
import { startWorker, type Worker, type WorkerOptions } from '#server/platform/jobs/worker.ts'
import { cloneDatabase } from './app.ts'

type JobRow = {
  id: string
  owner: string
  task: string
  payload: unknown
  taken_by: number | null
  attempts: number
  crashes: number
  reason: string | null
  error: string | null
  failed_at: Date | null
}

/** A database of its own with owners who ask for work, workers who do it, and a clock that stands still until it is moved. */
export type TestJobs = AsyncDisposable & {
  listen: pg.ClientConfig
  application: pg.Pool
  owner: pg.Pool
  database: Database
  now: () => Date
  advance: (seconds: number) => void
  newOwner: () => Promise<string>
  /** A request of this owner that asks for work. */
  ask: (owner: string, task: string, payload?: Record<string, unknown>, options?: { key?: string; runAt?: Date }) => Promise<void>
  /** Stopped, if nobody did so before, when all of it closes. */
  work: (options: Pick<WorkerOptions, 'tasks'> & Partial<WorkerOptions>) => Promise<Worker>
  jobs: () => Promise<JobRow[]>
}

export async function openTestJobs(): Promise<TestJobs> {
  const connections = await cloneDatabase()
  const application = new pg.Pool({ ...connections.application, max: 4 })
  const owner = new pg.Pool({ ...connections.owner, max: 4 })
  const database = createDatabase(application)
  const workers: Worker[] = []
  let at = Date.UTC(2026, 2, 29, 12)
  const now = (): Date => new Date(at)
  return {
    listen: connections.owner,
    application,
    owner,
    database,
    now,
    advance: (seconds) => {
      at += seconds * 1000
    },
    newOwner: async () => {
      const id = newId()
      await owner.query('insert into users (id, email, password_hash) values ($1, $2, $3)', [id, `${id}@example.org`, 'none'])
      return id
    },
    ask: (id, task, payload = {}, options = {}) => database.transaction(callerFor(id), 'Asked', () => enqueue(task, payload, options)),
    work: async (options) => {
      const worker = await startWorker({ pool: owner, listen: connections.owner, clocks: [], log: silence, now, ...options })
      workers.push(worker)
      return worker
    },
    jobs: async () => (await owner.query<JobRow>('select * from jobs.jobs order by id')).rows,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(workers.map((worker) => worker.stop()))
      await Promise.all([application.end(), owner.end()])
    },
  }
}

const silence: WorkerOptions['log'] = { info: () => {}, warn: () => {}, error: () => {} }

const program = `
  import pg from 'pg'
  import { startWorker } from '${new URL('../platform/jobs/worker.ts', import.meta.url).href}'
  const listen = JSON.parse(process.argv[1])
  process.on('disconnect', () => process.exit())
  const wait = () => {
    console.log('started')
    return new Promise(() => {})
  }
  await startWorker({ pool: new pg.Pool(listen), listen, tasks: { wait }, clocks: [], log: console })
`

/** A worker in a process of its own, whose task `wait` never ends: for tests that kill it. Resolves when the task has started. */
export async function startEndlessWorker(listen: pg.ClientConfig): Promise<AsyncDisposable & { kill: () => Promise<void> }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, JSON.stringify(listen)], {
    cwd: new URL('../..', import.meta.url),
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'], // the channel ends it with us
  })
  if (!child.stdout) throw new Error('The worker has no output')
  await once(createInterface({ input: child.stdout }), 'line')
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  return { kill, [Symbol.asyncDispose]: kill }
}
