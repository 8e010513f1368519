import pg from 'pg'
import * as z from 'zod/mini'
import { createDatabase, type Database } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { defineJobType, enqueue } from '#server/platform/jobs/enqueue.ts'
import type { JobHandler } from '#server/platform/jobs/handler.ts'
import { startWorker, type Worker, type WorkerOptions } from '#server/platform/jobs/worker.ts'
import { cloneDatabase } from './app.ts'
import { startKillable, type KillableProcess } from './killable.ts'

type JobRow = {
  id: string
  owner: string
  type: string
  payload: unknown
  taken_by: number | null
  attempts: number
  crashes: number
  reason: string | null
  error: string | null
  failed_at: Date | null
}

/** A separate database with users who add jobs, workers that run them, and a clock that changes only by `advance`. */
export type TestJobs = AsyncDisposable & {
  /** The connection of a worker, with the role that owns the tables. */
  workerConnection: pg.ClientConfig
  application: pg.Pool
  tableOwner: pg.Pool
  database: Database
  now: () => Date
  advance: (seconds: number) => void
  newOwner: () => Promise<string>
  /** Adds a job in a transaction of this owner. */
  addJob: (owner: string, type: string, payload?: Record<string, unknown>, options?: { key?: string; runAt?: Date }) => Promise<void>
  /** Starts a worker. The keys of `handlers` are the types of the jobs that it runs. */
  startWorker: (
    options: { handlers: Record<string, RunJob | Omit<JobHandler, 'type'>> } & Partial<Omit<WorkerOptions, 'handlers'>>,
  ) => Promise<Worker>
  readJobs: () => Promise<JobRow[]>
}

export async function openTestJobs(): Promise<TestJobs> {
  const connections = await cloneDatabase()
  const application = new pg.Pool({ ...connections.application, max: 4 })
  const tableOwner = new pg.Pool({ ...connections.tableOwner, max: 4 })
  const database = createDatabase(application)
  const workers: Worker[] = []
  let time = Date.UTC(2026, 2, 29, 12)
  const now = (): Date => new Date(time)
  return {
    workerConnection: connections.tableOwner,
    application,
    tableOwner,
    database,
    now,
    advance: (seconds) => {
      time += seconds * 1000
    },
    newOwner: async () => {
      const id = newId()
      await tableOwner.query('insert into users (id, email, password_hash) values ($1, $2, $3)', [id, `${id}@example.org`, 'none'])
      return id
    },
    addJob: (id, type, payload = {}, options = {}) =>
      database.transaction(callerFor(id), 'Added a job', () => enqueue(defineJobType(type, anyPayload), payload, options)),
    startWorker: async ({ handlers: handlersByType, ...options }) => {
      const handlers = Object.entries(handlersByType).map(([type, handler]) => ({
        type,
        ...(typeof handler === 'function' ? { run: handler } : handler),
      }))
      const worker = await startWorker({
        pool: tableOwner,
        leaseConnection: connections.tableOwner,
        handlers,
        schedules: [],
        log: silentLog,
        now,
        ...options,
      })
      workers.push(worker)
      return worker
    },
    readJobs: async () => (await tableOwner.query<JobRow>('select * from jobs.jobs order by id')).rows,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(workers.map((worker) => worker.stop()))
      await Promise.all([application.end(), tableOwner.end()])
    },
  }
}

export type RunJob = JobHandler['run']

const anyPayload = z.record(z.string(), z.unknown())
const silentLog: WorkerOptions['log'] = { info: () => {}, warn: () => {}, error: () => {} }

const workerProgram = `
  import pg from 'pg'
  import { startWorker } from '${new URL('../platform/jobs/worker.ts', import.meta.url).href}'
  const connection = JSON.parse(process.argv[1])
  const run = () => {
    console.log('started')
    return new Promise(() => {})
  }
  await startWorker({ pool: new pg.Pool(connection), leaseConnection: connection, handlers: [{ type: 'wait', run }], schedules: [], log: console })
`

/**
 * Starts a worker in a child process, which the test can kill. Its jobs of the type `wait` never end. Resolves when the first job has
 * started.
 */
export const startEndlessWorker = (connection: pg.ClientConfig): Promise<KillableProcess> => startKillable(workerProgram, connection)
