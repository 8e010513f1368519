import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServer } from './server.ts'

const readTimeoutMs = 200
/** More than the buffers of both ends of a connection hold. */
const bytes = 32 * 1024 ** 2

let server: FastifyInstance
let address: string
beforeAll(async () => {
  server = await createServer({ address: 'http://foyer.test', trustedProxies: 0, logger: false, isDevelopment: true, readTimeoutMs })
  server.get('/large', (_request, reply) => reply.type('application/json').send(JSON.stringify('x'.repeat(bytes))))
  server.get('/late', async () => {
    await sleep(3 * readTimeoutMs)
    return { late: true }
  })
  address = await server.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => server.close())

async function open(path: string): Promise<IncomingMessage> {
  const [response] = await once(get(`${address}${path}`, { agent: false }), 'response')
  return response
}

const countConnections = () =>
  new Promise<number>((resolve, reject) => server.server.getConnections((error, count) => (error ? reject(error) : resolve(count))))

test('the connection is closed when the client stops reading a JSON response', async () => {
  const response = await open('/large')
  response.pause()
  await expect.poll(countConnections).toBe(0)
  await expect(text(response)).rejects.toThrow('aborted')
})

test('a response is sent even if its handler needs longer than the time in which a client must read', async () => {
  expect(await text(await open('/late'))).toBe('{"late":true}')
})
