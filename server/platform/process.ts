let stoppingSince = 0

/** Whether this process has received a signal to stop. */
export function isStopping(): boolean {
  return stoppingSince > 0
}

/**
 * Calls `stop` once on Ctrl-C, SIGTERM, SIGHUP (a closed terminal), or the end of the parent process (its IPC channel closes). Exits after
 * `graceMs` at the latest. Ctrl-C in a terminal arrives twice (from the terminal and from npm), so a second one within a second is ignored.
 */
export function stopOnSignal(stop: () => Promise<void>, graceMs = 10_000): void {
  const onSignal = (): void => {
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
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  process.on('disconnect', onSignal)
}
