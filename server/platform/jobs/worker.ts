// Does the work that was asked for with `enqueue`, and what is due by the clock, in this process beside others like it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type pg from 'pg'
import { systemClock } from '../time/clock.ts'
import { createBell } from './bell.ts'
import { appear, type Presence } from './presence.ts'
import { workShift, type Crew } from './shift.ts'

export type Job = { id: string; owner: string; payload: unknown }

/**
 * Does one job: parses its payload and calls a verb in the owner's name. A crash at any point starts it again, so done twice must
 * be the same as done once. It ends soon when the signal is aborted; failing counts as no failure then.
 * A `JobFailure` fails the job at once, anything else that is thrown is tried again.
 */
export type Task = (job: Job, signal: AbortSignal) => Promise<void>

/** Runs whenever it is due, in one process of all. Due times are multiples of its seconds since 1970 UTC. A failed run waits for the next. */
export type Clock = { name: string; everySeconds: number; run: (signal: AbortSignal) => Promise<unknown> }

export type WorkerOptions = {
  /** Connections of the role that owns the tables. */
  pool: pg.Pool
  /** How the same role connects for the worker's sign of life. */
  listen: pg.ClientConfig
  tasks: Record<string, Task>
  clocks: Clock[]
  /** How many jobs run at the same time; two more may start for a task and an owner who have none running. */
  slots?: number
  /** How often we look for jobs of dead workers, for jobs that wait for their time, and at the clocks. */
  roundMs?: number
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  now?: () => Date
}

export type Worker = {
  /** Ends when the running jobs have ended, after `graceMs` at the latest. What it leaves unfinished is free to others. */
  stop: (graceMs?: number) => Promise<void>
}

const reconnectMs = 250

/** Rejects when the database cannot be reached now; later losses are mended. */
export async function startWorker({ slots = 4, roundMs = 2000, now = systemClock, ...rest }: WorkerOptions): Promise<Worker> {
  const stopping = new AbortController()
  const bell = createBell()
  const crew: Crew = { ...rest, slots, roundMs, now, bell, running: new Map(), ticking: new Map() }
  let presence = await appear(rest.listen, bell.ring)
  const working = work()

  /** After each loss of its connection the worker goes on under a new number. */
  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      await workShift(presence, crew, AbortSignal.any([stopping.signal, presence.gone]))
      if (!stopping.signal.aborted) presence = (await reappear()) ?? presence
    }
    await Promise.all([...crew.running.values(), ...crew.ticking.values()])
    await presence.leave()
  }

  async function reappear(): Promise<Presence | undefined> {
    rest.log.warn({ err: presence.gone.reason }, 'jobs: the connection was lost')
    await presence.leave()
    while (!stopping.signal.aborted) {
      await sleep(reconnectMs, undefined, { signal: stopping.signal }).catch(() => {})
      const next = await appear(rest.listen, bell.ring).catch(() => undefined) // why it does not answer yet is the database's to tell
      if (next) rest.log.info('jobs: connected again')
      if (next) return next
    }
    return undefined
  }

  async function stop(graceMs: number): Promise<void> {
    stopping.abort()
    const ended = new AbortController()
    await Promise.race([working, sleep(graceMs, undefined, { signal: ended.signal }).catch(() => {})])
    ended.abort()
    await presence.leave()
  }

  let stopped: Promise<void> | undefined
  return { stop: (graceMs = 5000) => (stopped ??= stop(graceMs)) }
}
