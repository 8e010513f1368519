/** The time limit of a check. A lost network may let a request wait for minutes. */
const timeLimitMs = 4000

/** Returns true when the server responds within 4 s. */
export const isServerReachable = (): Promise<boolean> =>
  fetch('/', { method: 'HEAD', redirect: 'manual', cache: 'no-store', signal: AbortSignal.timeout(timeLimitMs) }).then(
    ({ status }) => status < 500, // while the server is stopped, a proxy responds with a status such as 502
    () => false,
  )
