import type { Server } from 'node:http'

/** The time for which a client may read nothing although bytes are waiting for it. */
const readTimeoutMs = 60_000

/**
 * Closes the connection of each response of which the client reads nothing for 60 s although bytes are waiting, because they stay in memory.
 * A handler may take longer. `timeoutMs`: another time, for tests.
 */
export function closeUnreadResponses(server: Server, timeoutMs = readTimeoutMs): void {
  server.prependListener('request', (_request, response) => {
    response.setTimeout(timeoutMs, () => {
      if (response.writableLength > 0) response.destroy()
    })
  })
}
