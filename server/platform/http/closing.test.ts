import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { closeConnectionsOnStop } from './closing.ts'

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
  const closed = server.close()
  await expect.poll(() => server.server.listening).toBe(false)
  stopping.resolve()
  const [response] = await responseStarted
  expect(await text(response)).toHaveLength(body.length)
  await closed
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
