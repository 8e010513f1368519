import { once } from 'node:events'
import { connect } from 'node:net'
import fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { sendEvents } from './stream.ts'

const megabyte = 'x'.repeat(1_000_000)

/**
 * Opens a stream whose client never reads. `send` sends an event to the client; `isListening` tells whether the subscription still exists.
 */
async function openUnread(isAllowed: () => Promise<boolean>) {
  const server = fastify()
  server.decorate('openStreams', new Set<{ end: () => void }>())
  const subscribed = Promise.withResolvers<(text: string) => void>()
  let isListening = true
  const subscribe = async (send: (text: string) => void) => {
    subscribed.resolve(send)
    return () => (isListening = false)
  }
  server.get('/', (_request, reply) => sendEvents(z.string(), subscribe, reply, isAllowed))
  const { port } = new URL(await server.listen({ port: 0, host: '127.0.0.1' }))
  const socket = connect(Number(port), '127.0.0.1').pause()
  await once(socket, 'connect')
  socket.write('GET / HTTP/1.1\r\nHost: foyer.test\r\n\r\n')
  const stop = async (): Promise<void> => {
    socket.destroy()
    await server.close()
  }
  return { send: await subscribed.promise, isListening: () => isListening, stop }
}

test('a client that reads nothing and then loses its permission gets no more events', async () => {
  let isPermitted = true
  const stream = await openUnread(async () => isPermitted)
  stream.send(megabyte)
  isPermitted = false
  for (let event = 0; event < 3; event++) stream.send(megabyte) // a write after the end would crash the process
  await expect.poll(stream.isListening).toBe(false)
  await stream.stop()
})

test('an idle stream ends within a few seconds after its client has lost the permission', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  let isPermitted = true
  const stream = await openUnread(async () => isPermitted)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(stream.isListening()).toBe(true)
  isPermitted = false
  await vi.advanceTimersByTimeAsync(5000)
  expect(stream.isListening()).toBe(false)
  await stream.stop()
})

test('a client that does not read is disconnected before its events fill the memory', async () => {
  const stream = await openUnread(async () => true)
  for (let event = 0; event < 100 && stream.isListening(); event++) {
    stream.send(megabyte)
    await new Promise(setImmediate)
  }
  expect(stream.isListening()).toBe(false)
  await stream.stop()
})

test('when a client disconnects before the stream opens, its subscription ends exactly once', async () => {
  const server = fastify()
  server.decorate('openStreams', new Set<{ end: () => void }>())
  const disconnected = Promise.withResolvers<undefined>()
  const opened = Promise.withResolvers<undefined>()
  const calls: string[] = []
  const subscribe = async () => {
    calls.push('start')
    return () => void calls.push('stop')
  }
  server.get('/', async (_request, reply) => {
    reply.raw.once('close', () => disconnected.resolve(undefined))
    socket.destroy()
    await disconnected.promise
    await sendEvents(z.string(), subscribe, reply, async () => true)
    opened.resolve(undefined)
    return reply
  })
  const { port } = new URL(await server.listen({ port: 0, host: '127.0.0.1' }))
  const socket = connect(Number(port), '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: foyer.test\r\n\r\n')
  await opened.promise
  expect({ calls, streams: server.openStreams.size }).toEqual({ calls: ['start', 'stop'], streams: 0 })
  await server.close()
})

test('events keep their order although the permission is looked up before each of them', async () => {
  /** The results of the first two checks of the permission. The second one is known before the first. */
  const lookups = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()]
  const [first, second] = lookups
  const server = fastify()
  server.decorate('openStreams', new Set<{ end: () => void }>())
  const subscribe = async (send: (text: string) => void) => {
    send('first')
    send('second')
    return () => {}
  }
  let lookupCount = 0
  server.get('/', (_request, reply) => sendEvents(z.string(), subscribe, reply, async () => lookups[lookupCount++]?.promise ?? true))
  const address = await server.listen({ port: 0, host: '127.0.0.1' })
  const { body } = await fetch(address)
  second?.resolve(true)
  await new Promise(setImmediate)
  first?.resolve(true)
  let received = ''
  for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    received += text
    if (received.includes('first') && received.includes('second')) break
  }
  expect(received.indexOf('first')).toBeLessThan(received.indexOf('second'))
  await server.close()
})
