import { ProblemError } from '#web/lib/client.ts'
import { createStore } from '#web/lib/store.ts'

/** The delays between two tries in ms. After the last one the request fails. */
const delaysMs = [1000, 2000, 4000, 8000, 15_000, 30_000, 30_000, 30_000]

/** The number of requests that wait for their next try. */
export const retryingCount = createStore(0)

/** Repeats a request after a lost connection, a failure of the server, and 429. While the browser is offline it waits without an end. */
export async function withRetries<T>(signal: AbortSignal, send: () => Promise<T>): Promise<T> {
  for (const delayMs of delaysMs) {
    try {
      return await send()
    } catch (error) {
      signal.throwIfAborted()
      if (!mayPass(error)) throw error
      const randomDelayMs = delayMs * (0.75 + Math.random() / 2) // so that many clients do not come back at the same time
      await waitForRetry(Math.max(randomDelayMs, readRetryAfterMs(error)), signal)
    }
  }
  return send()
}

/** Whether the same request may succeed later. */
function mayPass(error: unknown): error is ProblemError {
  if (!(error instanceof ProblemError)) return false
  const { code, status } = error.problem
  return code === 'offline' || code === 'too_many_requests' || (status >= 500 && code !== 'storage_full')
}

const readRetryAfterMs = ({ problem }: ProblemError): number => (problem.retry_after_seconds ?? 0) * 1000

/** Waits for the delay, and until the browser is online. */
async function waitForRetry(delayMs: number, signal: AbortSignal): Promise<void> {
  retryingCount.set(retryingCount.get() + 1)
  try {
    if (navigator.onLine) await waitFor(signal, (resolve) => listen(resolve, setTimeout(resolve, delayMs)))
    if (!navigator.onLine) await waitFor(signal, (resolve) => listen(resolve))
  } finally {
    retryingCount.set(retryingCount.get() - 1)
  }
}

/** Calls `resolve` when the browser is online again. Returns the function that stops listening and the timer. */
function listen(resolve: () => void, timer?: ReturnType<typeof setTimeout>): () => void {
  addEventListener('online', resolve)
  return () => {
    removeEventListener('online', resolve)
    clearTimeout(timer)
  }
}

/** Waits until `start` calls its argument, or throws the reason of the signal. `start` returns the function that cleans up. */
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
