import { ProblemError } from '#web/lib/client.ts'
import { createStore } from '#web/lib/store.ts'

/** The delays before each retry in ms. If the last retry fails too, the request fails. */
const delaysMs = [1000, 2000, 4000, 8000, 15_000, 30_000, 30_000, 30_000]

/** The number of requests that wait for their next retry. */
export const retryingCount = createStore(0)

/** Repeats a request after a lost connection, a server error or status 429. While the browser is offline, waits without a time limit. */
export async function withRetries<T>(signal: AbortSignal, send: () => Promise<T>): Promise<T> {
  for (const delayMs of delaysMs) {
    try {
      return await send()
    } catch (error) {
      signal.throwIfAborted()
      if (!isTemporary(error)) throw error
      const randomDelayMs = delayMs * (0.75 + Math.random() / 2) // 75 to 125 %, so that many clients do not retry at the same time
      await waitForRetry(Math.max(randomDelayMs, readRetryAfterMs(error)), signal)
    }
  }
  return send()
}

/** Returns true for an error after which the same request may succeed later. */
function isTemporary(error: unknown): error is ProblemError {
  if (!(error instanceof ProblemError)) return false
  const { code, status } = error.problem
  return code === 'offline' || code === 'too_many_requests' || (status >= 500 && code !== 'storage_full')
}

const readRetryAfterMs = ({ problem }: ProblemError): number => (problem.retry_after_seconds ?? 0) * 1000

/** Waits for the delay, and until the browser is online. */
async function waitForRetry(delayMs: number, signal: AbortSignal): Promise<void> {
  retryingCount.set(retryingCount.get() + 1)
  try {
    // the delay ends early when the browser comes online
    if (navigator.onLine) await waitFor(signal, (resolve) => listen(resolve, setTimeout(resolve, delayMs)))
    if (!navigator.onLine) await waitFor(signal, (resolve) => listen(resolve))
  } finally {
    retryingCount.set(retryingCount.get() - 1)
  }
}

/** Calls `resolve` when the browser is online again. Returns a function that removes the listener and stops the timer. */
function listen(resolve: () => void, timer?: ReturnType<typeof setTimeout>): () => void {
  addEventListener('online', resolve)
  return () => {
    removeEventListener('online', resolve)
    clearTimeout(timer)
  }
}

/**
 * Calls `start` with a function `resolve`, and waits until `resolve` is called. Throws the reason of the signal when it is aborted. `start`
 * returns a function that cleans up.
 */
async function waitFor(signal: AbortSignal, start: (resolve: () => void) => () => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const cleanUp = start(resolve)
  const cancel = (): void => reject(signal.reason)
  signal.addEventListener('abort', cancel)
  try {
    await promise
  } finally {
    signal.removeEventListener('abort', cancel)
    cleanUp()
  }
}
