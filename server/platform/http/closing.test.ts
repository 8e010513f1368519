import { once } from 'node:events'
import { Agent, get, type Server } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { closeConnectionsOnStop } from './closing.ts'

/** More than the buffers of a connection hold, so that a response is still being sent after its handler has ended. */
const body = 'x'.repeat(2_000_000)

test.each(['/not-started', '/partly-sent'])('a stop waits for the response to %s and then closes its connection', async (path) => {
  const server = fastify({ forceCloseConnections: 'idle' })
  closeConnectionsOnStop(server)
  const requestArrived = Promise.withResolvers<void>()
  const stopping = Promise.withResolvers<void>()
  server.get('/not-started', async () => {
    requestArrived.resolve()
    await stopping.promise
    return body
  })
  server.get('/partly-sent', async (_request, reply) => {
    reply.hijack().raw.write(body.slice(1))
    requestArrived.resolve()
    await stopping.promise
    reply.raw.end('x')
  })
  const address = await server.listen()
  const responseStarted = once(get(address + path, { agent: new Agent({ keepAlive: true }) }), 'response')
  await requestArrived.promise
  const closing = server.close()
  await expect.poll(() => server.server.listening).toBe(false)
  stopping.resolve()
  const [response] = await responseStarted
  expect(await text(response)).toHaveLength(body.length)
  await closing
})

test(
  'a stop closes the connection of a request that arrives slowly and of a response that is read slowly',
  { timeout: 10_000 },
  async () => {
    const server = fastify({ forceCloseConnections: 'idle' })
    closeConnectionsOnStop(server, 100)
    server.post('/upload', async () => {})
    server.get('/download', async (_request, reply) => reply.send(Readable.from(repeatForever(body))))
    const { port } = new URL(await server.listen({ port: 0, host: '127.0.0.1' }))
    const requests = ['POST /upload HTTP/1.1\r\nContent-Length: 10', 'GET /download HTTP/1.1', 'GET /incomplete HTTP/1.1']
    const sockets = requests.map((head, index) => {
      const socket = connect(Number(port), '127.0.0.1')
      socket.on('error', () => {}) // the server may close the connection before all bytes are read
      socket.write(`${head}\r\nHost: x${index < 2 ? '\r\n\r\n' : ''}`) // the headers of the last request do not end
      return socket
    })
    await once(sockets[1] ?? server.server, 'readable')
    await expect.poll(() => countConnections(server.server)).toBe(3)
    await server.close()
    expect(await countConnections(server.server)).toBe(0)
    for (const socket of sockets) socket.destroy()
  },
)

test('a stop closes a slow connection after its time limit, but waits for a handler that has not responded yet', async () => {
  const server = fastify({ forceCloseConnections: 'idle' })
  closeConnectionsOnStop(server, 50)
  const requestArrived = Promise.withResolvers<void>()
  const mayRespond = Promise.withResolvers<void>()
  server.get('/', async () => {
    requestArrived.resolve()
    await mayRespond.promise
    return 'done'
  })
  const { port } = new URL(await server.listen({ port: 0, host: '127.0.0.1' }))
  const response = fetch(`http://127.0.0.1:${port}`)
  const slowSocket = connect(Number(port), '127.0.0.1')
  slowSocket.on('error', () => {}).write('POST /')
  await requestArrived.promise
  await expect.poll(() => countConnections(server.server)).toBe(2)
  const closing = server.close()
  await expect.poll(() => countConnections(server.server)).toBe(1) // the slow connection is closed
  mayRespond.resolve()
  expect(await (await response).text()).toBe('done')
  await closing
})

test('a stop does not wait for a connection that has carried no request', { timeout: 10_000 }, async () => {
  const server = fastify({ forceCloseConnections: 'idle' })
  closeConnectionsOnStop(server)
  const { port } = new URL(await server.listen({ port: 0, host: '127.0.0.1' }))
  const connected = once(server.server, 'connection')
  const unusedSocket = connect(Number(port), '127.0.0.1')
  await connected
  unusedSocket.resume()
  await server.close()
  await expect.poll(() => unusedSocket.closed).toBe(true)
})

function* repeatForever(chunk: string): Generator<string> {
  for (;;) yield chunk
}

const countConnections = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
