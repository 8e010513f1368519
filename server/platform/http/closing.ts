import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * On a stop, closes each connection as soon as its current answer is sent. Node closes only connections that are idle at that moment and
 * have carried a request, and then waits more than a minute for the others.
 */
export function closeConnectionsOnStop(server: FastifyInstance): void {
  const answers = new Set<ServerResponse>()
  const connections = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  server.addHook('onRequest', async (_request, { raw }) => {
    answers.add(raw)
    raw.once('close', () => answers.delete(raw))
  })
  server.addHook('preClose', async () => {
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy() // opened in advance by a browser
    for (const answer of answers) {
      answer.shouldKeepAlive = false // sets `connection: close`, if the headers are not sent yet
      const { socket } = answer
      if (answer.headersSent) answer.once('finish', () => socket?.destroySoon())
    }
  })
}
