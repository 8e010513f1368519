import { Refusal } from '#server/platform/refusal.ts'

type Limits = { maxRunning: number; maxWaiting: number }

/** Limits how many calls of one owner run at the same time. Owners do not wait for each other. */
export type Limiter = {
  /**
   * Runs `work` when fewer than `maxRunning` calls of this owner are running, in the order of the calls. Rejects with the signal's reason
   * if the signal is aborted before `work` starts, and with `too_many_requests` if `maxWaiting` calls are waiting, because each keeps a
   * request in memory.
   */
  run: <T>(owner: string, signal: AbortSignal | undefined, work: () => Promise<T>) => Promise<T>
}

type Queue = { running: number; waiting: Set<() => void> }

const retryAfterSeconds = 5

export function createLimiter({ maxRunning, maxWaiting }: Limits): Limiter {
  const queues = new Map<string, Queue>()
  return {
    run: async (owner, signal, work) => {
      signal?.throwIfAborted()
      const waiting = enter(owner, signal)
      if (waiting) await waiting
      try {
        return await work()
      } finally {
        leave(owner)
      }
    },
  }

  /** Returns undefined if the work can start immediately. */
  function enter(owner: string, signal: AbortSignal | undefined): Promise<void> | undefined {
    const queue = queues.get(owner) ?? { running: 0, waiting: new Set() }
    if (queue.running < maxRunning) {
      queue.running++
      queues.set(owner, queue)
      return undefined
    }
    if (queue.waiting.size >= maxWaiting) throw new Refusal('too_many_requests', { retry_after_seconds: retryAfterSeconds })
    return wait(queue, signal)
  }

  function leave(owner: string): void {
    const queue = queues.get(owner)
    if (!queue) return
    const [startNext] = queue.waiting
    if (startNext) startNext() // the next call takes the place of this one, so `running` does not change
    else if (--queue.running === 0) queues.delete(owner)
  }
}

function wait({ waiting }: Queue, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      waiting.delete(start)
      reject(signal?.reason)
    }
    const start = (): void => {
      waiting.delete(start)
      signal?.removeEventListener('abort', abort)
      resolve()
    }
    waiting.add(start)
    signal?.addEventListener('abort', abort, { once: true })
  })
}
