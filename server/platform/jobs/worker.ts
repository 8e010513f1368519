// Runs jobs that were added with `enqueue`, and schedules. Several processes can have a worker.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { JobHandler } from './handler.ts'
import { openLease, type Lease } from '../database/lease.ts'
import { runJob } from './run-job.ts'
import { runDueSchedules, type Schedule } from './schedules.ts'
import { freeLostJobs, preparePlans, readyDueJobs, takeJob, type WantedType } from './store.ts'

export type WorkerOptions = {
  /** Connections of the role that owns the tables. */
  pool: pg.Pool
  /** The connection settings of the same role, for the worker's lease. */
  listen: pg.ClientConfig
  handlers: JobHandler[]
  schedules: Schedule[]
  /**
   * The maximum number of running jobs of types without `maxRunning`. Two more may start for a type and an owner without running jobs.
   */
  slots?: number
  /** The interval at which the worker looks for jobs of ended workers, for due jobs and for due schedules. */
  roundMs?: number
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  now?: () => Date
}

export type Worker = {
  /** Resolves when the running jobs have ended, after `graceMs` at the latest. Other workers can take the unfinished jobs. */
  stop: (graceMs?: number) => Promise<void>
}

const reconnectMs = 250

type RunningJob = { type: string; ended: Promise<void> }
type Limits = Pick<WantedType, 'maxOfOwner' | 'maxOfType'>

/** Starts a worker. Rejects when the database cannot be reached. When the connection is lost later, the worker reconnects. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { pool, listen, handlers, schedules, slots = 4, roundMs = 2000, log, now = () => new Date() } = options
  const handlerOf = new Map(handlers.map((handler) => [handler.type, handler]))
  if (handlerOf.size < handlers.length) throw new Error('Two handlers have the same job type')
  const stopping = new AbortController()
  const wakeUp = createWakeUp()
  const running = { jobs: new Map<string, RunningJob>(), schedules: new Map<string, Promise<void>>() }
  const lastOwners = new Map<string, string>()
  let lease = await takeLease()
  const working = work()

  async function takeLease(): Promise<Lease> {
    const taken = await openLease({ connection: listen, channel: 'jobs', onNotification: wakeUp.notify })
    await preparePlans(taken.client)
    return taken
  }

  /** Works until the stop. After each loss of its connection the worker has a new number. */
  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      await workUnder(lease, AbortSignal.any([stopping.signal, lease.lost]))
      if (!stopping.signal.aborted) lease = (await reconnect()) ?? lease
    }
    await Promise.all([...[...running.jobs.values()].map(({ ended }) => ended), ...running.schedules.values()])
    await lease.close()
  }

  async function workUnder({ client, number: worker }: Lease, signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', wakeUp.notify)
    let nextRound = 0
    try {
      while (!signal.aborted) {
        if (performance.now() >= nextRound) {
          nextRound = performance.now() + roundMs
          await freeLostJobs(client, now())
          await runDueSchedules(client, { schedules, running: running.schedules, log, now: now() }, signal)
        }
        if ((await readyDueJobs(client, now())) > 0) wakeUp.notify() // there may be more due jobs
        await fillSlots(client, worker, signal)
        await wakeUp.wait(roundMs)
      }
    } catch (error) {
      if (!signal.aborted) log.error({ err: error }, 'jobs: looking for work failed')
    }
  }

  async function fillSlots(client: pg.Client, worker: number, signal: AbortSignal): Promise<void> {
    for (let wanted = wantedTypes(); wanted.length > 0 && !signal.aborted; wanted = wantedTypes()) {
      // after a lost connection some jobs may still be running here, although their rows are free again
      const job = await takeJob(client, worker, now(), { wanted, except: [...running.jobs.keys()] })
      if (!job) return
      lastOwners.set(job.type, job.owner)
      const ended = runJob(job, worker, { handler: handlerOf.get(job.type), pool, log, now }, signal).finally(() => {
        running.jobs.delete(job.id)
        wakeUp.notify()
      })
      running.jobs.set(job.id, { type: job.type, ended })
    }
  }

  /** Returns the types with a free slot. */
  function wantedTypes(): WantedType[] {
    const types = [...running.jobs.values()].map(({ type }) => type)
    const shared = types.filter((type) => handlerOf.get(type)?.maxRunning === undefined).length
    return handlers.flatMap(({ type, maxRunning }) => {
      const limits =
        maxRunning === undefined ? sharedSlots(shared, slots) : ownSlots(types.filter((each) => each === type).length, maxRunning)
      return limits ? [{ type, lastOwner: lastOwners.get(type), ...limits }] : []
    })
  }

  async function reconnect(): Promise<Lease | undefined> {
    log.warn({ err: lease.lost.reason }, 'jobs: the connection was lost')
    await lease.close()
    while (!stopping.signal.aborted) {
      await sleep(reconnectMs, undefined, { signal: stopping.signal }).catch(() => {})
      const next = await takeLease().catch(() => undefined) // the database itself logs why it cannot be reached
      if (next) log.info('jobs: connected again')
      if (next) return next
    }
    return undefined
  }

  async function stop(graceMs: number): Promise<void> {
    stopping.abort()
    const ended = new AbortController()
    await Promise.race([working, sleep(graceMs, undefined, { signal: ended.signal }).catch(() => {})])
    ended.abort()
    await lease.close()
  }

  let stopped: Promise<void> | undefined
  return { stop: (graceMs = 5000) => (stopped ??= stop(graceMs)) }
}

/**
 * Every owner may use the free slots. When all are in use, perhaps for minutes and by one owner, there are two more: one for a type of which
 * the owner has no running job, and one for an owner without any running job.
 */
function sharedSlots(running: number, slots: number): Limits | undefined {
  if (running < slots) return { maxOfOwner: Infinity, maxOfType: Infinity }
  if (running === slots) return { maxOfOwner: Infinity, maxOfType: 0 }
  if (running === slots + 1) return { maxOfOwner: 0, maxOfType: 0 }
  return undefined
}

/** Reserves the last slot of a type for an owner without a running job of this type. */
function ownSlots(running: number, maxRunning: number): Limits | undefined {
  if (running >= maxRunning) return undefined
  return { maxOfOwner: Infinity, maxOfType: running === maxRunning - 1 ? 0 : Infinity }
}

/** `wait` resolves at the next `notify` or after `maxMs`, and immediately if `notify` was called since the last wait. */
function createWakeUp(): { notify: () => void; wait: (maxMs: number) => Promise<void> } {
  let isNotified = false
  let wake = (): void => {}
  return {
    notify: () => {
      isNotified = true
      wake()
    },
    wait: async (maxMs) => {
      if (!isNotified) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, maxMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      isNotified = false
    },
  }
}
