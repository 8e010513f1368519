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
