// Runs schedules, and jobs that were added with `enqueue`. Several processes can have a worker. A worker has a lease: a connection with a
// lock, which shows the other workers that its process is alive.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import type { JobHandler } from './handler.ts'
import { openLease, type Lease } from '../database/lease.ts'
import { runJob } from './run-job.ts'
import { startDueSchedules, type Schedule } from './schedules.ts'
import { freeLostJobs, preparePlans, markDueJobsReady, releaseJobs, takeJob, type FreeType } from './store.ts'

export type WorkerOptions = {
  /** Connections of the role that owns the tables. */
  pool: pg.Pool
  /** The connection settings of the same role, for the worker's lease. */
  leaseConnection: pg.ClientConfig
  handlers: JobHandler[]
  schedules: Schedule[]
  /**
   * The number of common slots, which the types without `maxRunning` use together. When all of them are in use, two more jobs may start:
   * see `limitsOfCommonSlots`.
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

/** The time between two attempts to connect again. */
const reconnectMs = 250

/** A job that runs in this process. `ended` resolves when its result is stored. */
type RunningJob = { type: string; ended: Promise<void> }
type Limits = Pick<FreeType, 'maxOfOwner' | 'maxOfOwnerAndType'>

/** Starts a worker. Rejects when the database cannot be reached. When the connection is lost later, the worker reconnects. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { pool, leaseConnection, handlers, schedules, slots = 4, roundMs = 2000, log, now = () => new Date() } = options
  const handlerOf = new Map(handlers.map((handler) => [handler.type, handler]))
  if (handlerOf.size < handlers.length) throw new Error('Two handlers have the same job type')
  const stopping = new AbortController()
  const wakeUp = createWakeUp()
  const running = { jobs: new Map<string, RunningJob>(), schedules: new Map<string, Promise<void>>() }
  const retries = new Map<string, Date>()
  const lastOwners = new Map<string, string>()
  let lease = await takeLease()
  const workEnded = runUntilStopped()

  async function takeLease(): Promise<Lease> {
    const newLease = await openLease({ connection: leaseConnection, channel: 'jobs', onNotification: wakeUp.notify })
    await preparePlans(newLease.client)
    return newLease
  }

  /** Takes and runs jobs until the worker stops. After a lost connection the worker takes a new lease and so has a new number. */
  async function runUntilStopped(): Promise<void> {
    while (!stopping.signal.aborted) {
      await workWithLease(lease, AbortSignal.any([stopping.signal, lease.lost]))
      if (!stopping.signal.aborted) lease = (await reconnect()) ?? lease
    }
    const runningJobs = [...running.jobs.values()].map(({ ended }) => ended)
    await Promise.all([...runningJobs, ...running.schedules.values()])
    await lease.close()
  }

  /** Takes and runs jobs until the signal aborts. Does not wait for the running jobs. */
  async function workWithLease({ client, number: worker }: Lease, signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', wakeUp.notify)
    let nextRound = 0
    try {
      while (!signal.aborted) {
        if (performance.now() >= nextRound) {
          await freeLostJobs(client, now())
          await startDueSchedules(client, { schedules, pool, running: running.schedules, retries, log, now }, signal)
          nextRound = performance.now() + roundMs
        }
        if ((await markDueJobsReady(client, now())) > 0) wakeUp.notify() // more jobs may be due than one call marks
        await fillSlots(client, worker, signal)
        await wakeUp.wait(Math.max(0, nextRound - performance.now()))
      }
    } catch (error) {
      if (!signal.aborted) log.error({ err: error }, 'jobs: looking for work failed')
    }
  }

  /** Takes and starts jobs until no slot is free or no job is ready. */
  async function fillSlots(client: pg.Client, worker: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      const freeTypes = findFreeTypes()
      if (freeTypes.length === 0 || signal.aborted) return
      // after a lost connection a job may still run in this process although its row is free again
      const job = await takeJob(client, worker, now(), { freeTypes, excludedIds: [...running.jobs.keys()] })
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
  function findFreeTypes(): FreeType[] {
    const runningTypes = [...running.jobs.values()].map(({ type }) => type)
    const usedCommonSlots = runningTypes.filter((type) => handlerOf.get(type)?.maxRunning === undefined).length
    return handlers.flatMap(({ type, maxRunning }) => {
      const usedOwnSlots = runningTypes.filter((runningType) => runningType === type).length
      const limits = maxRunning === undefined ? limitsOfCommonSlots(usedCommonSlots, slots) : limitsOfOwnSlots(usedOwnSlots, maxRunning)
      return limits ? [{ type, lastOwner: lastOwners.get(type), ...limits }] : []
    })
  }

  /** Returns a new lease; undefined when the worker stops before the database is available. */
  async function reconnect(): Promise<Lease | undefined> {
    log.warn({ err: lease.lost.reason }, 'jobs: the connection was lost')
    await lease.close()
    while (!stopping.signal.aborted) {
      await sleep(reconnectMs, undefined, { signal: stopping.signal }).catch(() => {})
      const newLease = await takeLease().catch(() => undefined) // the log of the database contains the reason
      if (!newLease) continue
      log.info('jobs: connected again')
      return newLease
    }
    return undefined
  }

  async function stop(graceMs: number): Promise<void> {
    stopping.abort()
    const graceTimer = new AbortController()
    await Promise.race([workEnded, sleep(graceMs, undefined, { signal: graceTimer.signal }).catch(() => {})])
    graceTimer.abort()
    if (running.jobs.size > 0)
      await releaseJobs(pool, lease.number).catch((error: unknown) =>
        log.warn({ err: error }, 'jobs: the running jobs could not be released'),
      )
    await lease.close()
  }

  let stopResult: Promise<void> | undefined
  return { stop: (graceMs = 5000) => (stopResult ??= stop(graceMs)) }
}

/**
 * Returns undefined when no slot is free. One owner may use all common slots, perhaps for minutes. So when they are in use there are two
 * more slots: the first for a type of which the owner has no running job, the second for an owner without any running job.
 */
function limitsOfCommonSlots(running: number, slots: number): Limits | undefined {
  if (running < slots) return { maxOfOwner: Infinity, maxOfOwnerAndType: Infinity }
  if (running === slots) return { maxOfOwner: Infinity, maxOfOwnerAndType: 0 }
  if (running === slots + 1) return { maxOfOwner: 0, maxOfOwnerAndType: 0 }
  return undefined
}

/** Returns undefined when no slot is free. Reserves the last slot of a type for an owner without a running job of this type. */
function limitsOfOwnSlots(running: number, maxRunning: number): Limits | undefined {
  if (running >= maxRunning) return undefined
  return { maxOfOwner: Infinity, maxOfOwnerAndType: running === maxRunning - 1 ? 0 : Infinity }
}

/**
 * `wait` resolves at the next `notify` or after `maxMs`. It resolves immediately if `notify` was called after the last `wait` had ended.
 */
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
