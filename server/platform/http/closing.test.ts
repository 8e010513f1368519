import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { hangUpWhenClosing } from './closing.ts'

const body = 'x'.repeat(2_000_000)

test.each(['/whole', '/begun'])('a stop waits for the answer %s and then lets go of its connection', async (path) => {
  const app = fastify({ forceCloseConnections: 'idle' })
  hangUpWhenClosing(app)
  const asked = Promise.withResolvers<void>()
  const stopping = Promise.withResolvers<void>()
  app.get('/whole', async () => {
    asked.resolve()
    await stopping.promise
    return body
  })
  app.get('/begun', async (_request, reply) => {
    reply.hijack().raw.write(body.slice(1))
    asked.resolve()
    await stopping.promise
    reply.raw.end('x')
  })
  const address = await app.listen()
  const answered = once(get(address + path, { agent: new Agent({ keepAlive: true }) }), 'response')
  await asked.promise
  const closed = app.close()
  await expect.poll(() => app.server.listening).toBe(false)
  stopping.resolve()
  const [answer] = await answered
  expect(await text(answer)).toHaveLength(body.length)
  await closed
})

test('a stop does not wait for a connection that a browser opened ahead and has not asked on', { timeout: 10_000 }, async () => {
  const app = fastify({ forceCloseConnections: 'idle' })
  hangUpWhenClosing(app)
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const arrived = once(app.server, 'connection')
  const ahead = connect(Number(port), '127.0.0.1')
  await arrived
  ahead.resume()
  await app.close()
  await expect.poll(() => ahead.closed).toBe(true)
})
