import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** The time that a client has to send its request or to read its response after the stop has begun. */
const maxTransferMs = 3000

/**
 * When the server stops, closes each connection as soon as its current response is sent. Requests that are still arriving and responses
 * that are still being read are cut off after `transferMs`, because an upload or a download can take hours. A handler that has not
 * responded yet is not cut off. Node itself closes only connections that are idle at that moment and have carried a request, and waits more
 * than a minute for the others.
 */
export function closeConnectionsOnStop(server: FastifyInstance, transferMs = maxTransferMs): void {
  const responses = new Set<ServerResponse>()
  const connections = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  server.addHook('onRequest', async (_request, { raw }) => {
    responses.add(raw)
    raw.once('close', () => responses.delete(raw))
  })
  server.addHook('preClose', async () => {
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy() // browsers open connections before they need them
    for (const response of responses) {
      response.shouldKeepAlive = false // Node sends `connection: close` if the headers are not sent yet
      const { socket } = response
      if (response.headersSent) response.once('finish', () => socket?.destroySoon())
    }
    // repeated, because a handler may begin its response later
    const timer = setInterval(() => closeTransfers(connections, responses), transferMs).unref()
    server.server.once('close', () => clearInterval(timer))
  })
}

/** Closes all connections except those whose request has arrived completely and whose handler has not responded yet. */
function closeTransfers(connections: Set<Socket>, responses: Set<ServerResponse>): void {
  const waitingResponses = [...responses].filter(({ req, headersSent }) => req.complete && !headersSent)
  const waitingSockets = new Set(waitingResponses.map(({ socket }) => socket))
  for (const socket of connections) if (!waitingSockets.has(socket)) socket.destroy()
}
