/**
 * Returns a function that runs tasks in their order, at most `count` at the same time. A running task takes one of the `count` slots; the
 * other tasks wait for a slot. A waiting task is removed when its signal is aborted; the function then throws the reason of the signal.
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
    const { promise, resolve: start, reject } = Promise.withResolvers<void>()
    const cancel = (): void => {
      waiting.delete(start) // otherwise it would get a slot that nothing releases
      reject(signal.reason)
    }
    waiting.add(start)
    signal.addEventListener('abort', cancel)
    try {
      await promise
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  function release(): void {
    const [next] = waiting
    if (!next) {
      running -= 1
      return
    }
    waiting.delete(next)
    next() // the next task takes over the slot, so `running` stays the same
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
