import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineRoutes } from '#contract/route.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { openTestRouter, type TestRouter } from '#server/testing/router.ts'
import { mount, type Handlers } from './mount.ts'
import { acceptUploads, uploadOf, type Upload } from './upload.ts'

const Stored = z.object({ id: z.uuid(), name: z.string() })
const access = { method: 'POST', caller: 'user', example: {} } as const
const routes = defineRoutes({
  measure: {
    ...access,
    path: '/api/uploads/measure',
    summary: 'Size, type and hash of a body',
    changes: { noInverse: 'nothing is stored' },
    upload: true,
    out: z.object({ size: z.nullable(z.int()), type: z.string(), hash: z.string() }),
  },
  wait: {
    ...access,
    path: '/api/uploads/wait',
    summary: 'Hands the body to the test',
    changes: { noInverse: 'nothing is stored' },
    upload: true,
  },
  store: {
    ...access,
    path: '/api/uploads',
    summary: 'Stores the name of a body',
    changes: 'journaled',
    upload: true,
    out: Stored,
    repeats: { route: 'get', id: 'record' },
  },
  get: {
    ...access,
    method: 'GET',
    path: '/api/uploads/{id}',
    summary: 'What was stored',
    changes: 'nothing',
    params: z.strictObject({ id: z.uuid() }),
    out: Stored,
  },
  hook: {
    ...access,
    path: '/api/uploads/hook',
    summary: 'A signed message',
    caller: 'anyone',
    changes: { noInverse: 'nothing is stored' },
    rawBody: true,
    body: z.strictObject({ event: z.string() }),
    out: z.object({ event: z.string(), signature: z.string() }),
  },
  anyHook: {
    ...access,
    path: '/api/uploads/any-hook',
    summary: 'A signed message of any type',
    caller: 'anyone',
    changes: { noInverse: 'nothing is stored' },
    rawBody: true,
    out: z.object({ bytes: z.int() }),
  },
})

type Given = { body: Upload; signal: AbortSignal }
let app: TestRouter
let ada: Caller
let port = 0
let given = Promise.withResolvers<Given>()
let gate = Promise.withResolvers<void>()
let handled = 0
const sign = (bytes: Buffer | string) => createHmac('sha256', 'secret').update(bytes).digest('hex')
const handlers = ({ database }: TestRouter): Handlers<typeof routes> => ({
  measure: async ({ body: { content, size = null, type } }) => {
    const hash = createHash('sha256')
    for await (const chunk of content) hash.update(chunk)
    return { size, type, hash: hash.digest('hex') }
  },
  wait: async ({ body, signal }) => {
    given.resolve({ body, signal })
    await gate.promise
    await text(body.content)
  },
  store: async ({ caller, body }) => {
    handled++
    const name = await text(body.content)
    const [row] = await database.batch(caller, 'Added company', () =>
      sql<z.infer<typeof Stored>>('insert into companies (name) values ($1) returning id, name', [name]),
    )
    if (!row) throw new Error('Nothing was stored')
    return row
  },
  get: async ({ caller, params }) => {
    const [row] = await database.read(caller, () =>
      sql<z.infer<typeof Stored>>('select id, name from companies where id = $1', [params.id]),
    )
    if (!row) throw new Error('It is gone')
    return row
  },
  hook: async ({ body, rawBody }) => ({ event: body.event, signature: sign(rawBody) }),
  anyHook: async ({ rawBody }) => ({ bytes: rawBody.byteLength }),
})

beforeAll(async () => {
  app = await openTestRouter()
  ada = await app.newUser()
  mount(app.router, routes, handlers(app))
  port = Number(new URL(await app.server.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(() => app.stop())

/** Begins a request. The test writes its body. */
function begin(
  path: string,
  headers: Record<string, string | number> = {},
  target = { port, user: ada },
): ClientRequest & { answered: Promise<IncomingMessage> } {
  const authorization = `Bearer ${target.user.owner}`
  const sent = request({ port: target.port, path, method: 'POST', agent: false, headers: { authorization, ...headers } })
  const answered = once(sent, 'response').then(([answer]: IncomingMessage[]) => {
    if (!answer) throw new Error('No answer came')
    return answer
  })
  answered.catch(() => {})
  return Object.assign(sent, { answered })
}

const post = (url: string, payload: string | Buffer, headers: Record<string, string> = {}) =>
  app.server.inject({ method: 'POST', url, payload, headers: { authorization: `Bearer ${ada.owner}`, ...headers } })

test.each([
  ['with its length', { 'content-length': 5_000_000 }, 5_000_000],
  ['in chunks', {}, null],
])('a body larger than the JSON limit arrives %s', async (_name, headers, size) => {
  const bytes = Buffer.alloc(5_000_000, 'x')
  const sent = begin('/api/uploads/measure', { ...headers, 'content-type': 'application/json' })
  sent.write(bytes)
  sent.end()
  const answer = await sent.answered
  expect(answer.statusCode).toBe(200)
  expect(JSON.parse(await text(answer))).toEqual({ size, type: 'application/json', hash: createHash('sha256').update(bytes).digest('hex') })
})

test('an empty upload is a body without bytes', async () => {
  const answer = await post('/api/uploads/measure', '')
  expect(answer.json()).toMatchObject({ type: 'application/octet-stream', hash: createHash('sha256').digest('hex') })
})

test('a client sends only as fast as the handler reads', async () => {
  given = Promise.withResolvers()
  const sent = begin('/api/uploads/wait')
  sent.end(Buffer.alloc(50_000_000, 'x'))
  const { body } = await given.promise
  for (let round = 0; round < 200; round++) await setImmediate()
  expect(body.content.readableLength).toBeLessThan(1_000_000)
  expect(sent.socket?.bytesWritten).toBeGreaterThan(40_000_000) // passed to Node, which waits for the handler
  expect(sent.writableFinished).toBe(false)
  gate.resolve()
  expect((await sent.answered).statusCode).toBe(204)
})

test('an aborted upload fails in the handler and aborts its signal, and is not logged', async () => {
  app.log.length = 0
  given = Promise.withResolvers()
  const sent = begin('/api/uploads/wait', { 'content-length': 1000 })
  sent.on('error', () => {})
  sent.write('begun')
  const { body, signal } = await given.promise
  sent.destroy()
  await expect(once(body.content, 'close')).rejects.toThrow('aborted')
  await expect.poll(() => signal.aborted).toBe(true)
  expect(app.log).toEqual([])
})

test('an upload may take longer than the time limit of requests, and no other request may', async () => {
  const own = await openTestRouter()
  const user = await own.newUser()
  const { measure, hook } = routes
  mount(own.router, routes, handlers(own))
  Object.assign(own.server.server, { connectionsCheckingInterval: 20, requestTimeout: 40, headersTimeout: 40 }) // read when it listens
  const target = { port: Number(new URL(await own.server.listen({ port: 0, host: '127.0.0.1' })).port), user }
  const late = once(own.server.server, 'clientError')
  const upload = begin(measure.path, {}, target)
  upload.write('first')
  expect(await late).toMatchObject([{ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, expect.anything()])
  upload.end('last')
  const answer = await upload.answered
  expect(JSON.parse(await text(answer))).toMatchObject({ hash: createHash('sha256').update('firstlast').digest('hex') })
  const slow = begin(hook.path, { 'content-type': 'application/json', 'content-length': 100 }, target)
  slow.write('{')
  expect((await slow.answered).statusCode).toBe(408)
  await own.stop()
})

test('a client that sends nothing is disconnected, but not while the handler is slow', async () => {
  const server = fastify()
  acceptUploads(server)
  gate = Promise.withResolvers()
  const timeouts: string[] = []
  server.post('/:name', async (upload, reply) => {
    const { content } = uploadOf(upload, reply, 50)
    content.on('timeout', () => timeouts.push(upload.url))
    if (upload.url === '/slow-handler') await gate.promise
    return text(content)
  })
  const { port: own } = new URL(await server.listen({ port: 0, host: '127.0.0.1' }))
  const send = (path: string) => request({ port: own, path, method: 'POST', agent: false })
  const silent = send('/silent-client')
  silent.write('begun')
  await expect(once(silent, 'response')).rejects.toThrow('socket hang up')
  const patient = send('/slow-handler')
  patient.write('begun')
  await expect.poll(() => timeouts).toContain('/slow-handler')
  gate.resolve()
  patient.end('ended')
  const [answer]: IncomingMessage[] = await once(patient, 'response')
  expect(answer && (await text(answer))).toBe('begunended')
  await server.close()
})

test('an upload that is repeated with its key is stored once, and the repeat gets the record', async () => {
  const headers = { 'idempotency-key': 'upload-1', 'content-type': 'text/plain' }
  const first = await post('/api/uploads', 'Analytical Engines', headers)
  const second = await post('/api/uploads', 'Analytical Engines', headers)
  expect([first.statusCode, second.statusCode, handled]).toEqual([200, 200, 1])
  expect(second.json()).toEqual(first.json())
  expect(second.headers['foyer-change']).toBe(first.headers['foyer-change'])
  const other = await post('/api/uploads', 'Of another length', headers)
  expect(other.json()).toMatchObject({ code: 'request_reused' })
  const both = await Promise.all([1, 2].map(() => post('/api/uploads', 'At once', { ...headers, 'idempotency-key': 'upload-2' })))
  expect(both.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  const names = await app.database.read(ada, () => sql('select name from companies order by id'))
  expect(names).toEqual([{ name: 'Analytical Engines' }, { name: 'At once' }])
})

test('a route with a raw body gets the bytes and the parsed body, up to a limit', async () => {
  const json = { 'content-type': 'application/json' }
  const body = '{ "event":\n"paid" }'
  expect((await post('/api/uploads/hook', body, json)).json()).toEqual({ event: 'paid', signature: sign(body) })
  expect((await post('/api/uploads/hook', '{"event":1}', json)).json()).toMatchObject({ code: 'invalid' })
  expect((await post('/api/uploads/hook', '{', json)).json()).toMatchObject({ code: 'malformed' })
  expect((await post('/api/uploads/hook', body, { 'content-type': 'text/plain' })).json()).toMatchObject({ code: 'unsupported_media_type' })
  expect((await post('/api/uploads/any-hook', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' })).json()).toEqual({ bytes: 3 })
  expect((await post('/api/uploads/any-hook', Buffer.alloc(2_000_000))).json()).toMatchObject({ code: 'too_large' })
})
