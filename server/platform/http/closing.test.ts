import { once } from 'node:events'
import { Agent, get } from 'node:http'
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
