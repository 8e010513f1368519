import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Lets go of a connection when what is being answered on it at the time of the stop has been sent. Node itself ends only those that
 * have been asked on and are idle at that moment, and then waits more than a minute for the browser to let go of the others.
 */
export function hangUpWhenClosing(server: FastifyInstance): void {
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
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy() // opened ahead by a browser
    for (const answer of answers) {
      answer.shouldKeepAlive = false // says so in the headers, if they have not gone yet
      const { socket } = answer
      if (answer.headersSent) answer.once('finish', () => socket?.destroySoon())
    }
  })
}
