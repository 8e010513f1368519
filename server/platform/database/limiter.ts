import { Refusal } from '#server/platform/refusal.ts'
import type { WaitingCall, WaitingCalls } from './waiting-calls.ts'

type Limits = {
  /** The maximum number of running calls of one owner. */
  maxRunning: number
  /** The maximum number of waiting calls of one owner. */
  maxWaiting: number
  /** The maximum number of running calls of all owners, who take turns. Infinite by default. */
  maxRunningOfAll?: number
  /**
   * A call is refused when it has waited this long only because other owners use all of `maxRunningOfAll`. The default is 5 s, the time for
   * which a call waits for a connection of the pool.
   */
  maxWaitForOthersMs?: number
  /** Limits the waiting calls of all owners, in this limiter and in all others that use the same object. */
  waitingCalls?: WaitingCalls
}

/** `signal` removes the call from the queue. `bytes`: the size of what the call keeps in memory while it waits. */
type WaitOptions = { signal?: AbortSignal | undefined; bytes?: number | undefined }

/** Limits how many calls of one owner, and of all owners together, run at the same time. */
export type Limiter = {
  /**
   * Runs `work` when fewer than `maxRunning` calls of this owner and fewer than `maxRunningOfAll` calls of all owners are running. The
   * calls of one owner start in their order.
   *
   * Rejects with `too_many_requests` if `maxWaiting` calls of the owner are waiting. Rejects with `overloaded` if `waitingCalls` is full,
   * or if the call has waited for other owners too long. Rejects with the signal's reason if the signal is aborted before `work` starts.
   */
  run: <T>(owner: string, options: WaitOptions, work: () => Promise<T>) => Promise<T>
}

/** The calls of one owner. `running`: the number of running calls. `waiting`: the functions that start the waiting calls. */
type Queue = { running: number; waiting: Set<() => void> }

const retryAfterSeconds = 5

/** Creates a limiter, at first without calls. */
export function createLimiter(limits: Limits): Limiter {
  const { maxRunning, maxWaiting, maxRunningOfAll = Infinity, maxWaitForOthersMs = 5000, waitingCalls } = limits
  /** The queues of the owners with running or waiting calls. The owner whose turn was last is at the end. */
  const queues = new Map<string, Queue>()
  let runningOfAll = 0
  return {
    run: async (owner, options, work) => {
      options.signal?.throwIfAborted()
      const waiting = enter(owner, options)
      if (waiting) await waiting
      try {
        return await work()
      } finally {
        leave(owner)
      }
    },
  }

  /** Counts the call as running and returns undefined, or else returns a promise that resolves when the call may start. */
  function enter(owner: string, options: WaitOptions): Promise<void> | undefined {
    const queue = queues.get(owner) ?? { running: 0, waiting: new Set() }
    if (queue.running < maxRunning && runningOfAll < maxRunningOfAll) {
      queue.running++
      runningOfAll++
      queues.set(owner, queue)
      return undefined
    }
    if (queue.waiting.size >= maxWaiting) throw new Refusal('too_many_requests', { retry_after_seconds: retryAfterSeconds })
    return wait(owner, queue, options)
  }

  function leave(owner: string): void {
    const queue = queues.get(owner)
    if (!queue) return
    queue.running--
    runningOfAll--
    if (isUnused(queue)) queues.delete(owner)
    startNext()
  }

  /** Starts the first call of the next owner who may run one more. */
  function startNext(): void {
    for (const [owner, queue] of queues) {
      const [start] = queue.waiting
      if (!start || queue.running >= maxRunning) continue
      queue.running++
      runningOfAll++
      queues.delete(owner)
      queues.set(owner, queue) // the owner is now at the end, because it had its turn
      return start()
    }
  }

  function wait(owner: string, queue: Queue, { signal, bytes = 0 }: WaitOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      const call: WaitingCall = { owner, bytes, drop: (error) => fail(error) }
      waitingCalls?.add(call)
      const refuseIfOnlyOthersRun = (): void => {
        if (queue.running < maxRunning) fail(new Refusal('overloaded', { retry_after_seconds: retryAfterSeconds }))
      }
      const timer = maxWaitForOthersMs === Infinity ? undefined : setInterval(refuseIfOnlyOthersRun, maxWaitForOthersMs)
      const leaveQueue = (): void => {
        clearInterval(timer)
        queue.waiting.delete(start)
        waitingCalls?.remove(call)
        signal?.removeEventListener('abort', abort)
      }
      const start = (): void => {
        leaveQueue()
        resolve()
      }
      const fail = (error: unknown): void => {
        leaveQueue()
        if (isUnused(queue)) queues.delete(owner)
        reject(error)
      }
      const abort = (): void => fail(signal?.reason)
      queues.set(owner, queue)
      queue.waiting.add(start)
      signal?.addEventListener('abort', abort, { once: true })
    })
  }
}

const isUnused = ({ running, waiting }: Queue): boolean => running === 0 && waiting.size === 0
