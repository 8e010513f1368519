import { once } from 'node:events'
import { get, type ClientRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import fastify from 'fastify'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '#server/testing/app.ts'
import { openSharedSlots, type SharedSlots } from '#server/platform/database/shared-slots.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { sendFile } from './file.ts'
import { closeUnreadResponses } from './read-limit.ts'

const chunk = 'x'.repeat(64 * 1024)
/** Stops the server of the test. */
let stop = async (): Promise<void> => {}
let slots: SharedSlots
beforeAll(async () => {
  slots = openSharedSlots((await cloneDatabase()).tableOwner)
})
afterAll(() => slots.stop())
afterEach(() => stop())

/** Returns the response of a file route that sends these chunks. */
async function openResponse(chunks: () => AsyncGenerator<string>, readTimeoutMs?: number): Promise<IncomingMessage> {
  const server = fastify()
  const receiver = { owner: 'ada', slots }
  closeUnreadResponses(server.server, readTimeoutMs)
  server.get('/', (_request, reply) => sendFile('text/csv', async () => ({ name: 'all.csv', chunks: chunks() }), reply, receiver))
  const request = get(await server.listen({ port: 0, host: '127.0.0.1' }))
  stop = async () => {
    request.destroy()
    await server.close()
  }
  const [response] = await once(request, 'response')
  return response
}

test('no more chunks are generated after the client disconnected', async () => {
  let chunkCount = 0
  let isGeneratorClosed = false
  const response = await openResponse(async function* endless() {
    try {
      for (;;) {
        chunkCount++
        yield chunk
      }
    } finally {
      isGeneratorClosed = true
    }
  })
  await once(response, 'data')
  response.destroy()
  await expect.poll(() => isGeneratorClosed).toBe(true)
  expect(chunkCount).toBeLessThan(1000)
})

test('a client that reads nothing until the timeout is disconnected, and no more chunks are generated', async () => {
  let chunkCount = 0
  let isGeneratorClosed = false
  const response = await openResponse(async function* endless() {
    try {
      for (;;) {
        chunkCount++
        yield chunk
      }
    } finally {
      isGeneratorClosed = true
    }
  }, 200)
  response.pause()
  await expect.poll(() => isGeneratorClosed).toBe(true)
  expect(chunkCount).toBeLessThan(1000)
  await expect(text(response)).rejects.toThrow('aborted')
})

/**
 * Starts an HTTP server that sends files without end. It acts as several server processes: `processes` has the shared slots of each of
 * them, and a request names its process by the index in this list.
 */
async function openEndlessFiles(processes: SharedSlots[]) {
  const server = fastify()
  let openedCount = 0
  async function* endless(): AsyncGenerator<string> {
    for (;;) yield chunk
  }
  server.get<{ Params: { owner: string; process: number } }>('/:owner/:process', async ({ params }, reply) => {
    const receiver = { owner: params.owner, slots: processes[params.process] ?? slots }
    const open = async () => {
      openedCount++
      return { name: 'all.csv', chunks: endless() }
    }
    return sendFile('text/csv', open, reply, receiver).catch((error: unknown) =>
      reply.code(error instanceof Refusal ? 429 : 500).send('refused'),
    )
  })
  const address = await server.listen({ port: 0, host: '127.0.0.1' })
  const requests: ClientRequest[] = []
  const disconnect = (): void => requests.forEach((request) => request.destroy())
  stop = async () => {
    disconnect()
    await server.close()
  }
  /** Returns the status of the response, which is 200 while the file is sent. */
  const requestFile = async (owner: string, process = 0): Promise<number | undefined> => {
    const request = get(`${address}/${owner}/${process}`, { agent: false })
    requests.push(request)
    const [response] = await once(request, 'response')
    return response.statusCode
  }
  return { requestFile, requests, disconnect, countOpened: () => openedCount }
}

test('while four files are sent to an owner, a fifth gets status 429 and is not opened, and other owners get theirs', async () => {
  const { requestFile, requests, disconnect, countOpened } = await openEndlessFiles([slots])
  const requestFourFiles = (): Promise<unknown[]> => Promise.all(Array.from({ length: 4 }, () => requestFile('grace')))
  expect(await requestFourFiles()).toEqual([200, 200, 200, 200])
  expect([await requestFile('grace'), countOpened()]).toEqual([429, 4])
  expect(await requestFile('edsger')).toBe(200)
  requests[0]?.destroy()
  await expect.poll(() => requestFile('grace')).toBe(200)
  disconnect()
  await expect.poll(requestFourFiles).toEqual([200, 200, 200, 200])
})

test('the limit of four files holds for all processes together', async () => {
  const { tableOwner } = await cloneDatabase()
  const processes = [openSharedSlots(tableOwner), openSharedSlots(tableOwner)]
  const { requestFile, requests, disconnect } = await openEndlessFiles(processes)
  const statuses = [
    await requestFile('ada', 0),
    await requestFile('ada', 0),
    await requestFile('ada', 1),
    await requestFile('ada', 1),
    await requestFile('ada', 0),
    await requestFile('ada', 1),
  ]
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
  requests[0]?.destroy()
  await expect.poll(() => requestFile('ada', 1)).toBe(200)
  disconnect()
  for (const process of processes) await process.stop()
})

test('the generator of a file is closed when the client disconnects before the first chunk', async () => {
  const firstChunkReady = Promise.withResolvers<undefined>()
  const generatorStarted = Promise.withResolvers<undefined>()
  let isGeneratorClosed = false
  const server = fastify()
  async function* late(): AsyncGenerator<string> {
    try {
      generatorStarted.resolve(undefined)
      await firstChunkReady.promise
      yield chunk
    } finally {
      isGeneratorClosed = true
    }
  }
  const clientDisconnected = Promise.withResolvers<undefined>()
  server.get('/', (_request, reply) => {
    reply.raw.once('close', () => clientDisconnected.resolve(undefined))
    return sendFile('text/csv', async () => ({ name: 'all.csv', chunks: late() }), reply, { owner: 'ada', slots })
  })
  const request = get(await server.listen({ port: 0, host: '127.0.0.1' })).on('error', () => {})
  stop = () => server.close()
  await generatorStarted.promise
  request.destroy()
  await clientDisconnected.promise
  firstChunkReady.resolve(undefined)
  await expect.poll(() => isGeneratorClosed).toBe(true)
})

test('the connection is closed when a file fails, so that the client does not take the file for complete', async () => {
  const response = await openResponse(async function* failing() {
    yield chunk
    throw new Error('The database is unavailable')
  })
  await expect(text(response)).rejects.toThrow('aborted')
})

test('an empty file is sent', async () => {
  const response = await openResponse(async function* empty() {})
  expect(response.statusCode).toBe(200)
  expect(response.headers['content-disposition']).toBe('attachment; filename=all.csv')
})

test('a file that cannot be opened frees its slot', async () => {
  const server = fastify()
  const open = () => Promise.reject(new Error('The files have changed'))
  server.get('/', (_request, reply) => sendFile('text/csv', open, reply, { owner: 'alan', slots }))
  stop = () => server.close()
  for (let count = 0; count < 5; count++) expect((await server.inject('/')).json().message).toBe('The files have changed')
})
