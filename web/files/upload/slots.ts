/**
 * Returns a function that runs tasks, at most `count` at the same time and the others in their order. A task that waits is removed when its
 * signal is aborted; the function then throws the reason of the signal.
 */
export function createSlots(count: number): <T>(signal: AbortSignal, task: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting = new Set<() => void>()

  async function waitForSlot(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (running < count) {
      running += 1
      return
    }
    await new Promise<void>((resolve, reject) => {
      const cancel = (): void => {
        waiting.delete(start)
        reject(signal.reason)
      }
      const start = (): void => {
        signal.removeEventListener('abort', cancel)
        resolve()
      }
      waiting.add(start)
      signal.addEventListener('abort', cancel, { once: true })
    })
  }

  function release(): void {
    const [next] = waiting
    if (!next) {
      running -= 1
      return
    }
    waiting.delete(next)
    next()
  }

  return async (signal, task) => {
    await waitForSlot(signal)
    try {
      return await task()
    } finally {
      release()
    }
  }
}
