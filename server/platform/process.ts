/** A reason not to start that the operator can mend: `main` prints its message alone, without a stack, and exits with 1. */
export class CannotStart extends Error {
  override name = 'CannotStart'
}

/** Runs a task of the operator's. A reason that they can mend is printed alone, and the process exits with 1. */
export async function runTask(task: () => Promise<void>): Promise<void> {
  try {
    await task()
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}

let stoppingSince = 0

/** Has this process been asked to stop? Whoever wants its place may then wait a little for it. */
export function isStopping(): boolean {
  return stoppingSince > 0
}

/**
 * Stops once, whoever asks: Ctrl-C, SIGTERM, a closed terminal, or the process that started us being gone (its channel closes).
 * Ctrl-C in a terminal reaches us twice (from the terminal and from npm), so a repeat counts only after a second.
 */
export function stopOnSignal(stop: () => Promise<void>, graceMs = 10_000): void {
  const ask = (): void => {
    if (isStopping()) {
      if (Date.now() - stoppingSince > 1000) process.exit(130)
      return
    }
    stoppingSince = Date.now()
    setTimeout(() => process.exit(1), graceMs).unref()
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask)
  process.on('disconnect', ask)
}
