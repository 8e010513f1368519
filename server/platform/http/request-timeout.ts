import type { IncomingMessage } from 'node:http'

/** The maximum time in which a whole request must arrive, so that slow clients do not occupy connections. */
export const requestTimeoutMs = 60_000

/** The code of the error with which a connection is closed because a large body arrives too slowly. */
export const slowBodyCode = 'FOYER_SLOW_BODY'

const socketsWithoutTimeout = new WeakSet<object>()

/** Lets the request take longer than `requestTimeoutMs`. For requests that are closed when too few bytes arrive for some time. */
export function liftRequestTimeout(request: IncomingMessage): void {
  const { socket } = request
  socketsWithoutTimeout.add(socket)
  request.once('close', () => socketsWithoutTimeout.delete(socket))
}

/** Whether the request that arrives on this connection may take longer than `requestTimeoutMs`. */
export const isTimeoutLifted = (socket: object): boolean => socketsWithoutTimeout.has(socket)
