import { once } from 'node:events'
import { get, type ClientRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import fastify from 'fastify'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '#server/testing/app.ts'
import { openSharedSlots, type SharedSlots } from '#server/platform/database/shared-slots.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { sendFile } from './file.ts'

const chunk = 'x'.repeat(64 * 1024)
let stop = async (): Promise<void> => {}
let slots: SharedSlots
beforeAll(async () => {
  slots = openSharedSlots((await cloneDatabase()).owner)
})
afterAll(() => slots.stop())
afterEach(() => stop())

/** Returns the response of a file route that sends these chunks. */
async function askFor(chunks: () => AsyncGenerator<string>, readTimeoutMs?: number): Promise<IncomingMessage> {
  const server = fastify()
  const receiver = { owner: 'ada', slots, ...(readTimeoutMs && { readTimeoutMs }) }
  server.get('/', (_request, reply) => sendFile('text/csv', { name: 'all.csv', chunks: chunks() }, reply, receiver))
  const asked = get(await server.listen({ port: 0, host: '127.0.0.1' }))
  stop = async () => {
    asked.destroy()
    await server.close()
  }
  const [answer] = await once(asked, 'response')
  return answer
}

test('no more chunks are generated after the client disconnected', async () => {
  let made = 0
  let isOver = false
  const answer = await askFor(async function* endless() {
    try {
      for (;;) {
        made++
        yield chunk
      }
    } finally {
      isOver = true
    }
  })
  await once(answer, 'data')
  answer.destroy()
  await expect.poll(() => isOver).toBe(true)
  expect(made).toBeLessThan(1000)
})

test('a client that reads nothing is disconnected, and no more chunks are generated', async () => {
  let made = 0
  let isOver = false
  const answer = await askFor(async function* endless() {
    try {
      for (;;) {
        made++
        yield chunk
      }
    } finally {
      isOver = true
    }
  }, 200)
  answer.pause()
  await expect.poll(() => isOver).toBe(true)
  expect(made).toBeLessThan(1000)
  await expect(text(answer)).rejects.toThrow('aborted')
})

/** Requests files that never end from one of the processes. The status of the response shows whether a file is sent. */
async function openEndlessFiles(processes: SharedSlots[]) {
  const server = fastify()
  async function* endless(): AsyncGenerator<string> {
    for (;;) yield chunk
  }
  server.get<{ Params: { owner: string; process: number } }>('/:owner/:process', async ({ params }, reply) => {
    const own = processes[params.process] ?? slots
    return sendFile('text/csv', { name: 'all.csv', chunks: endless() }, reply, { owner: params.owner, slots: own }).catch(
      (error: unknown) => reply.code(error instanceof Refusal ? 429 : 500).send('refused'),
    )
  })
  const address = await server.listen({ port: 0, host: '127.0.0.1' })
  const asked: ClientRequest[] = []
  const leave = (): void => asked.forEach((each) => each.destroy())
  stop = async () => {
    leave()
    await server.close()
  }
  const ask = async (owner: string, process = 0): Promise<number | undefined> => {
    const request = get(`${address}/${owner}/${process}`, { agent: false })
    asked.push(request)
    const [answer] = await once(request, 'response')
    return answer.statusCode
  }
  return { ask, asked, leave }
}

test('at most four files are sent to one owner at a time; the next one starts after one of them has ended or failed', async () => {
  const { ask, asked, leave } = await openEndlessFiles([slots])
  const askFour = (): Promise<unknown[]> => Promise.all(Array.from({ length: 4 }, () => ask('grace')))
  expect(await askFour()).toEqual([200, 200, 200, 200])
  expect(await ask('grace')).toBe(429)
  expect(await ask('edsger')).toBe(200)
  asked[0]?.destroy()
  await expect.poll(() => ask('grace')).toBe(200)
  leave()
  await expect.poll(askFour).toEqual([200, 200, 200, 200])
})

test('files of one owner are counted over all processes', async () => {
  const { owner } = await cloneDatabase()
  const processes = [openSharedSlots(owner), openSharedSlots(owner)]
  const { ask, asked, leave } = await openEndlessFiles(processes)
  const statuses = [
    await ask('ada', 0),
    await ask('ada', 0),
    await ask('ada', 1),
    await ask('ada', 1),
    await ask('ada', 0),
    await ask('ada', 1),
  ]
  expect(statuses).toEqual([200, 200, 200, 200, 429, 429])
  asked[0]?.destroy()
  await expect.poll(() => ask('ada', 1)).toBe(200)
  leave()
  for (const each of processes) await each.stop()
})

test('a generator is closed when the client disconnects before the first chunk', async () => {
  const ready = Promise.withResolvers<undefined>()
  const begun = Promise.withResolvers<undefined>()
  let isOver = false
  const server = fastify()
  async function* late(): AsyncGenerator<string> {
    try {
      begun.resolve(undefined)
      await ready.promise
      yield chunk
    } finally {
      isOver = true
    }
  }
  const left = Promise.withResolvers<undefined>()
  server.get('/', (_request, reply) => {
    reply.raw.once('close', () => left.resolve(undefined))
    return sendFile('text/csv', { name: 'all.csv', chunks: late() }, reply, { owner: 'ada', slots })
  })
  const asked = get(await server.listen({ port: 0, host: '127.0.0.1' })).on('error', () => {})
  stop = () => server.close()
  await begun.promise
  asked.destroy()
  await left.promise
  ready.resolve(undefined)
  await expect.poll(() => isOver).toBe(true)
})

test('the connection is closed when a file fails, so that the client does not take the file for complete', async () => {
  const answer = await askFor(async function* failing() {
    yield chunk
    throw new Error('The database is unavailable')
  })
  await expect(text(answer)).rejects.toThrow('aborted')
})

test('an empty file is sent', async () => {
  const answer = await askFor(async function* empty() {})
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-disposition']).toBe('attachment; filename=all.csv')
})
