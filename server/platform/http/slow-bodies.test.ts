// Large bodies share a few places, and slow senders must leave some of them to others.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { limitLargeBodies } from './large-body.ts'
import { createServer } from './server.ts'

const bodyBytes = 2 * 1024 ** 2
const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

type StartOptions = { arrival?: Parameters<typeof limitLargeBodies>[1]; hasShortTimeout?: boolean }

/**
 * Starts a server behind a proxy that names the network of a request. `countReading`: the number of large bodies that it has begun to read.
 * `hasShortTimeout`: a whole request must arrive in 40 ms instead of 60 s.
 */
async function startServer({ arrival, hasShortTimeout = false }: StartOptions = {}) {
  const server = await createServer({ address: 'http://foyer.test', trustedProxies: 1, logger: false, isDevelopment: true })
  let begun = 0
  void server.register(async (child: FastifyInstance) => {
    child.addContentTypeParser('application/octet-stream', { parseAs: 'buffer', bodyLimit: bodyBytes }, async () => 'read')
    limitLargeBodies(child, arrival)
    child.addHook('preParsing', async () => void begun++)
    child.post('/large', async () => ({}))
  })
  if (hasShortTimeout) Object.assign(server.server, { connectionsCheckingInterval: 20, requestTimeout: 40, headersTimeout: 40 })
  const port = Number(new URL(await server.listen({ port: 0, host: '127.0.0.1' })).port)
  closers.push(() => server.close())
  /** Begins a request whose body is never complete. */
  async function sendSlowly(network: string): Promise<Socket> {
    const socket = connect(port, '127.0.0.1')
    closers.push(async () => socket.destroy())
    const headers = [
      'Host: foyer.test',
      `X-Forwarded-For: ${network}`,
      'Content-Type: application/octet-stream',
      `Content-Length: ${bodyBytes}`,
    ]
    socket.write(`POST /large HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\nbegin`)
    await once(socket, 'connect')
    return socket
  }
  const send = async (network: string): Promise<number> => {
    const headers = { 'content-type': 'application/octet-stream', 'x-forwarded-for': network }
    const response = await fetch(`http://127.0.0.1:${port}/large`, { method: 'POST', headers, body: Buffer.alloc(bodyBytes) })
    await response.arrayBuffer()
    return response.status
  }
  return { sendSlowly, send, countReading: () => begun, httpServer: server.server }
}

test('slow senders of one IPv6 network leave half of the places to others', async () => {
  const { sendSlowly, send, countReading } = await startServer()
  const refusals: string[] = []
  for (let number = 0; number < 8; number++) {
    const socket = await sendSlowly(`2001:db8:1:${number}::1`)
    socket.once('data', (chunk) => void refusals.push(String(chunk).slice(0, 'HTTP/1.1 429'.length)))
    await expect.poll(() => countReading() + refusals.length).toBe(number + 1)
  }
  expect([countReading(), refusals]).toEqual([4, Array.from({ length: 4 }, () => 'HTTP/1.1 429')])
  expect(await send('2001:db8:2::1')).toBe(200)
  expect(await send('192.0.2.1')).toBe(200)
  expect(await send('2001:db8:1:9::1')).toBe(429)
})

test('visitors of one address have two places at the same time', async () => {
  const { sendSlowly, send, countReading } = await startServer()
  await sendSlowly('192.0.2.1')
  await expect.poll(countReading).toBe(1)
  expect(await send('192.0.2.1')).toBe(200)
  await sendSlowly('192.0.2.1')
  await expect.poll(countReading).toBe(3)
  expect(await send('192.0.2.1')).toBe(429)
})

test('a large body that arrives too slowly is given up, and its place is free', async () => {
  const { sendSlowly, send } = await startServer({ arrival: { windowMs: 20, minBytes: 1000 } })
  const sockets = await Promise.all([1, 2].map(() => sendSlowly('192.0.2.1')))
  for (const socket of sockets) expect(await text(socket)).toMatch(/^HTTP\/1.1 408 /)
  await expect.poll(() => send('192.0.2.1')).toBe(200)
})

test('a large body may take longer than the time limit of other requests while enough of it arrives', async () => {
  const { sendSlowly, httpServer } = await startServer({ hasShortTimeout: true })
  const late = once(httpServer, 'clientError')
  const socket = await sendSlowly('192.0.2.1')
  expect(await late).toMatchObject([{ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, expect.anything()])
  socket.write(Buffer.alloc(bodyBytes - 'begin'.length))
  const [response] = await once(socket, 'data')
  expect(String(response)).toMatch(/^HTTP\/1.1 200 /)
})
