import type { Server } from 'node:http'

/** The time for which a client may read nothing although bytes are waiting for it. */
const readTimeoutMs = 60_000

/**
 * Closes the connection of a response when the client has read nothing for 60 s although bytes are waiting for it, because these bytes stay
 * in memory. A handler that has sent nothing yet may take longer. `timeoutMs`: another time, for tests.
 */
export function closeUnreadResponses(server: Server, timeoutMs = readTimeoutMs): void {
  server.prependListener('request', (_request, response) => {
    response.setTimeout(timeoutMs, () => {
      if (response.writableLength > 0) response.destroy()
    })
  })
}
