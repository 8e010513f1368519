import { once } from 'node:events'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineRoutes } from '#contract/route.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { openTestRouter, type TestRouter } from '#server/testing/router.ts'
import { mount } from './mount.ts'

const Token = z.object({ text: z.string() })
type Token = z.infer<typeof Token>
const sharedFields = { method: 'POST', caller: 'user', eventList: Token, example: {} } as const
const routes = defineRoutes({
  chat: { ...sharedFields, path: '/api/chats', summary: 'Sends what the test produces', changes: { noUndo: 'nothing is stored' } },
  completion: {
    ...sharedFields,
    path: '/api/completions',
    summary: 'Sends what the test produces, in another format',
    changes: { noUndo: 'nothing is stored' },
    lastData: '[DONE]',
  },
  store: {
    ...sharedFields,
    path: '/api/chats/stored',
    summary: 'Stores a company',
    changes: 'journaled',
    responseIfRepeated: { fromRoute: 'get', idFrom: 'record' },
  },
  get: {
    ...sharedFields,
    method: 'GET',
    path: '/api/chats/{id}',
    summary: 'The stored company',
    changes: 'nothing',
    params: z.strictObject({ id: z.uuid() }),
  },
})

let app: TestRouter
let ada: Caller
let port = 0
/** The handler of the route `chat`. Each test sets its own. `offset`: the number of the first event that the client has not received. */
let produce: (offset: number, signal: AbortSignal) => AsyncIterable<Token>
/** The requests of the test, which are closed after it. */
const sentRequests: ClientRequest[] = []
beforeAll(async () => {
  app = await openTestRouter()
  ada = await app.newUser()
  const { database } = app
  mount(app.router, routes, {
    chat: async ({ offset, signal }) => produce(offset, signal),
    completion: async ({ offset, signal }) => produce(offset, signal),
    store: async ({ caller }) => {
      return (async function* generate() {
        const [row] = await database.batch(caller, 'Added company', () =>
          sql<{ name: string }>(`insert into companies (name) values ('Engines') returning name`),
        )
        yield { text: row?.name ?? '' }
      })()
    },
    get: async ({ caller, params }) => {
      const rows = await database.read(caller, () => sql<{ name: string }>('select name from companies where id = $1', [params.id]))
      return (async function* generate() {
        for (const { name } of rows) yield { text: name }
      })()
    },
  })
  port = Number(new URL(await app.server.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterEach(() => {
  for (const clientRequest of sentRequests.splice(0)) clientRequest.destroy()
})
afterAll(() => app.stop())

async function post(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const headersWithSession = { authorization: `Bearer ${ada.owner}`, ...headers }
  const clientRequest = request({ port, path, method: 'POST', agent: false, headers: headersWithSession }).end()
  sentRequests.push(clientRequest)
  return responseTo(clientRequest)
}

async function responseTo(clientRequest: ClientRequest): Promise<IncomingMessage> {
  const [response]: IncomingMessage[] = await once(clientRequest, 'response')
  if (!response) throw new Error('The server sent no response')
  return response
}

/** Returns the messages of a stream, without the comments that keep the connection open. */
const splitMessages = (stream: string): string[] => stream.split('\n\n').filter((message) => message !== '' && !message.startsWith(':'))

async function* threeWords(from: number): AsyncGenerator<Token> {
  for (const word of ['Note', 'by', 'Ada'].slice(from)) yield { text: word }
}

test('events arrive numbered and in order, followed by an end message', async () => {
  produce = threeWords
  const response = await post('/api/chats')
  expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8')
  expect(splitMessages(await text(response))).toEqual([
    'id: 0\ndata: {"text":"Note"}',
    'id: 1\ndata: {"text":"by"}',
    'id: 2\ndata: {"text":"Ada"}',
    'event: end\ndata: {}',
  ])
})

test('a route with `lastData` sends its events without ids, and that data instead of the end message', async () => {
  produce = threeWords
  expect(splitMessages(await text(await post('/api/completions')))).toEqual([
    'data: {"text":"Note"}',
    'data: {"text":"by"}',
    'data: {"text":"Ada"}',
    'data: [DONE]',
  ])
})

test('a client that lost its connection continues after its last event; an event id that is not a number is refused', async () => {
  produce = threeWords
  const response = await post('/api/chats', { 'last-event-id': '1' })
  expect(splitMessages(await text(response))).toEqual(['id: 2\ndata: {"text":"Ada"}', 'event: end\ndata: {}'])
  expect((await post('/api/chats', { 'last-event-id': 'x' })).statusCode).toBe(400)
})

test('an error before the first event is sent as a problem document, and a later error as the last event', async () => {
  app.log.length = 0
  produce = async function* fails(offset) {
    if (offset === 0) yield { text: 'begun' }
    throw new Error('The model is gone')
  }
  const before = await post('/api/chats', { 'last-event-id': '0' })
  expect(before.statusCode).toBe(500)
  expect(before.headers['content-type']).toContain('application/problem+json')
  const [first, last = ''] = splitMessages(await text(await post('/api/chats')))
  expect(first).toBe('id: 0\ndata: {"text":"begun"}')
  expect(last).toMatch(/^event: error\ndata: \{.*"code":"internal"/)
  expect(last).not.toContain('The model is gone')
  expect(app.log.join()).toContain('The model is gone')
})

test('events are produced only as fast as the client reads them', async () => {
  let produced = 0
  produce = async function* endless() {
    for (;;) {
      produced++
      yield { text: 'x'.repeat(100_000) }
    }
  }
  const response = await post('/api/chats')
  response.pause()
  // waits until no more events are produced, because the buffers of the connection are full
  let before = -1
  while (before !== produced) {
    before = produced
    for (let round = 0; round < 100; round++) await setImmediate()
  }
  expect(produced).toBeLessThan(500) // the buffers hold less than 500 events of 100 kB
})

test('the producer is aborted when its client disconnects', async () => {
  const ended = Promise.withResolvers<string>()
  produce = async function* waits(_offset, signal) {
    try {
      yield { text: 'begun' }
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    } finally {
      ended.resolve(String(signal.reason))
    }
  }
  const response = await post('/api/chats')
  await once(response, 'data')
  sentRequests[0]?.destroy()
  expect(await ended.promise).toBe('Error: The client disconnected')
})

test('a producer is ended exactly once when its client disconnects before the first event', async () => {
  const started = Promise.withResolvers<AbortSignal>()
  const calls: string[] = []
  produce = async function* waits(_offset, signal) {
    calls.push('start')
    try {
      started.resolve(signal)
      await once(signal, 'abort')
      yield { text: 'begun' }
    } finally {
      calls.push('end')
    }
  }
  const response = post('/api/chats')
  response.catch(() => {})
  await started.promise
  sentRequests[0]?.destroy()
  await expect(response).rejects.toThrow('socket hang up')
  await expect.poll(() => calls).toEqual(['start', 'end'])
})

test('two requests with the same Idempotency-Key write once, and both get a stream with the stored result', async () => {
  const store = async (): Promise<string> => text(await post('/api/chats/stored', { 'idempotency-key': 'k' }))
  const bodies = [await store(), await store()]
  const { rows } = await app.workspace.tableOwner.query<{ id: string }>('select id from changesets where user_id = $1', [ada.owner])
  for (const body of bodies) {
    expect(splitMessages(body)).toEqual(['id: 0\ndata: {"text":"Engines"}', `event: end\ndata: {"change":"${rows[0]?.id}"}`])
  }
  expect(rows).toHaveLength(1)
})

test('when the server stops, it closes a stream without an end message, so that the client continues later', async () => {
  const stoppedApp = await openTestRouter()
  stoppedApp.router.finders.user.push(async () => ({ ...ada, session: 'session' }))
  const aborted = Promise.withResolvers<void>()
  mount(
    stoppedApp.router,
    { chat: routes.chat },
    {
      chat: async ({ signal }) =>
        (async function* waits() {
          signal.addEventListener('abort', () => aborted.resolve())
          yield { text: 'begun' }
          await aborted.promise
        })(),
    },
  )
  const { port: stoppedPort } = new URL(await stoppedApp.server.listen({ port: 0, host: '127.0.0.1' }))
  const response = await responseTo(request({ port: stoppedPort, path: '/api/chats', method: 'POST', agent: false }).end())
  await once(response, 'data')
  const [received] = await Promise.allSettled([text(response), stoppedApp.stop()])
  expect(received.status).toBe('rejected')
})
