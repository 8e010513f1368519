/** The time in ms since 1970 of the first signal to stop; 0 as long as there was none. */
let stoppingSince = 0

/** Whether this process has received a signal to stop. */
export function isStopping(): boolean {
  return stoppingSince > 0
}

/**
 * Calls `stop` once on Ctrl-C, SIGTERM, SIGHUP (the terminal was closed), or when the parent process ends (its IPC channel closes). Exits
 * when `stop` has ended, or after `graceMs`. A second signal exits immediately, unless it arrives within a second after the first: one
 * Ctrl-C arrives twice, from the terminal and from npm.
 */
export function stopOnSignal(stop: () => Promise<void>, graceMs = 10_000): void {
  const onSignal = (): void => {
    if (isStopping()) {
      if (Date.now() - stoppingSince > 1000) process.exit(130) // the exit code of shells for Ctrl-C
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
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  process.on('disconnect', onSignal)
}
