import { createHash, createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { defineRoutes } from '#contract/route.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { openTestRouter, type TestRouter } from '#server/testing/router.ts'
import { mount, type Handlers } from './mount.ts'
import { acceptUploads, toUpload, type Upload } from './upload.ts'

const Stored = z.object({ id: z.uuid(), name: z.string() })
const sharedFields = { method: 'POST', caller: 'user', example: {} } as const
const routes = defineRoutes({
  measure: {
    ...sharedFields,
    path: '/api/uploads/measure',
    summary: 'Size, type and hash of a body',
    changes: { noUndo: 'nothing is stored' },
    upload: true,
    out: z.object({ size: z.nullable(z.int()), type: z.string(), hash: z.string() }),
  },
  wait: {
    ...sharedFields,
    path: '/api/uploads/wait',
    summary: 'Waits before it reads the body',
    changes: { noUndo: 'nothing is stored' },
    upload: true,
  },
  store: {
    ...sharedFields,
    path: '/api/uploads',
    summary: 'Stores a company whose name is the body',
    changes: 'journaled',
    upload: true,
    out: Stored,
    responseIfRepeated: { fromRoute: 'get', idFrom: 'record' },
  },
  get: {
    ...sharedFields,
    method: 'GET',
    path: '/api/uploads/{id}',
    summary: 'The stored company',
    changes: 'nothing',
    params: z.strictObject({ id: z.uuid() }),
    out: Stored,
  },
  hook: {
    ...sharedFields,
    path: '/api/uploads/hook',
    summary: 'A signed message',
    caller: 'anyone',
    changes: { noUndo: 'nothing is stored' },
    rawBody: true,
    body: z.strictObject({ event: z.string() }),
    out: z.object({ event: z.string(), signature: z.string() }),
  },
  anyHook: {
    ...sharedFields,
    path: '/api/uploads/any-hook',
    summary: 'A signed message of any type',
    caller: 'anyone',
    changes: { noUndo: 'nothing is stored' },
    rawBody: true,
    out: z.object({ bytes: z.int() }),
  },
})

type WaitingUpload = { body: Upload; signal: AbortSignal }
let app: TestRouter
let ada: Caller
let port = 0
/** The upload that the handler of the route `wait` has received. It reads the body after `mayRead` resolves. */
let waitingUpload = Promise.withResolvers<WaitingUpload>()
let mayRead = Promise.withResolvers<void>()
/** How often the handler of the route `store` was called. */
let storeCalls = 0
const sign = (bytes: Buffer | string) => createHmac('sha256', 'secret').update(bytes).digest('hex')
const handlers = ({ database }: TestRouter): Handlers<typeof routes> => ({
  measure: async ({ body: { content, size = null, type } }) => {
    const hash = createHash('sha256')
    for await (const chunk of content) hash.update(chunk)
    return { size, type, hash: hash.digest('hex') }
  },
  wait: async ({ body, signal }) => {
    waitingUpload.resolve({ body, signal })
    await mayRead.promise
    await text(body.content)
  },
  store: async ({ caller, body }) => {
    storeCalls++
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
    if (!row) throw new Error('The company is gone')
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

/** Sends the headers of a request. The test writes the body. */
function startRequest(
  path: string,
  headers: Record<string, string | number> = {},
  target = { port, user: ada },
): ClientRequest & { response: Promise<IncomingMessage> } {
  const authorization = `Bearer ${target.user.owner}`
  const clientRequest = request({ port: target.port, path, method: 'POST', agent: false, headers: { authorization, ...headers } })
  const response = once(clientRequest, 'response').then(([message]: IncomingMessage[]) => {
    if (!message) throw new Error('The server sent no response')
    return message
  })
  response.catch(() => {})
  return Object.assign(clientRequest, { response })
}

const post = (url: string, payload: string | Buffer, headers: Record<string, string> = {}) =>
  app.server.inject({ method: 'POST', url, payload, headers: { authorization: `Bearer ${ada.owner}`, ...headers } })

test.each([
  ['with its length', { 'content-length': 5_000_000 }, 5_000_000],
  ['in chunks', {}, null],
])('an upload that is larger than the JSON limit is received when it is sent %s', async (_name, headers, size) => {
  const bytes = Buffer.alloc(5_000_000, 'x')
  const clientRequest = startRequest('/api/uploads/measure', { ...headers, 'content-type': 'application/json' })
  clientRequest.write(bytes)
  clientRequest.end()
  const response = await clientRequest.response
  expect(response.statusCode).toBe(200)
  expect(JSON.parse(await text(response))).toEqual({
    size,
    type: 'application/json',
    hash: createHash('sha256').update(bytes).digest('hex'),
  })
})

test('a compressed upload is refused, because the handler reads the bytes as they arrive', async () => {
  const clientRequest = startRequest('/api/uploads/measure', { 'content-encoding': 'gzip' })
  clientRequest.end(gzipSync('Analytical Engines'))
  const response = await clientRequest.response
  expect([response.statusCode, JSON.parse(await text(response)).code]).toEqual([415, 'unsupported_media_type'])
})

test('the handler of an upload without a body reads no bytes', async () => {
  const response = await post('/api/uploads/measure', '')
  expect(response.json()).toMatchObject({ type: 'application/octet-stream', hash: createHash('sha256').digest('hex') })
})

test('a client sends only as fast as the handler reads', async () => {
  waitingUpload = Promise.withResolvers()
  mayRead = Promise.withResolvers()
  const clientRequest = startRequest('/api/uploads/wait')
  clientRequest.end(Buffer.alloc(50_000_000, 'x'))
  const { body } = await waitingUpload.promise
  for (let round = 0; round < 200; round++) await setImmediate()
  expect(body.content.readableLength).toBeLessThan(1_000_000)
  // the client counts all bytes as written, but holds most of them back in its memory until the handler reads
  expect(clientRequest.socket?.bytesWritten).toBeGreaterThan(40_000_000)
  expect(clientRequest.writableFinished).toBe(false)
  mayRead.resolve()
  expect((await clientRequest.response).statusCode).toBe(204)
})

test('when a client disconnects during an upload, the stream of the body fails, the signal aborts and nothing is logged', async () => {
  app.log.length = 0
  waitingUpload = Promise.withResolvers()
  mayRead = Promise.withResolvers()
  mayRead.resolve()
  const clientRequest = startRequest('/api/uploads/wait', { 'content-length': 1000 })
  clientRequest.on('error', () => {})
  clientRequest.write('begun')
  const { body, signal } = await waitingUpload.promise
  clientRequest.destroy()
  await expect(once(body.content, 'close')).rejects.toThrow('aborted')
  await expect.poll(() => signal.aborted).toBe(true)
  expect(app.log).toEqual([])
})

test('only an upload may take longer than the time limit of requests', async () => {
  const appWithShortTimeouts = await openTestRouter()
  const user = await appWithShortTimeouts.newUser()
  const { measure, hook } = routes
  mount(appWithShortTimeouts.router, routes, handlers(appWithShortTimeouts))
  // Node reads these values when the server starts to listen
  Object.assign(appWithShortTimeouts.server.server, { connectionsCheckingInterval: 20, requestTimeout: 40, headersTimeout: 40 })
  const target = { port: Number(new URL(await appWithShortTimeouts.server.listen({ port: 0, host: '127.0.0.1' })).port), user }
  const timedOutRequest = once(appWithShortTimeouts.server.server, 'clientError')
  const upload = startRequest(measure.path, {}, target)
  upload.write('first')
  expect(await timedOutRequest).toMatchObject([{ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, expect.anything()])
  upload.end('last')
  const response = await upload.response
  expect(JSON.parse(await text(response))).toMatchObject({ hash: createHash('sha256').update('firstlast').digest('hex') })
  const slow = startRequest(hook.path, { 'content-type': 'application/json', 'content-length': 100 }, target)
  slow.write('{')
  expect((await slow.response).statusCode).toBe(408)
  await appWithShortTimeouts.stop()
})

test('a client that sends nothing more is disconnected, but not while the handler is slow', async () => {
  const server = fastify()
  acceptUploads(server)
  mayRead = Promise.withResolvers()
  const timeouts: string[] = []
  server.post('/:name', async (uploadRequest, reply) => {
    const { content } = toUpload(uploadRequest, reply, 50)
    content.on('timeout', () => timeouts.push(uploadRequest.url))
    if (uploadRequest.url === '/slow-handler') await mayRead.promise
    return text(content)
  })
  const { port: uploadPort } = new URL(await server.listen({ port: 0, host: '127.0.0.1' }))
  const openUpload = (path: string) => request({ port: uploadPort, path, method: 'POST', agent: false })
  const silentUpload = openUpload('/silent-client')
  silentUpload.write('first')
  await expect(once(silentUpload, 'response')).rejects.toThrow('socket hang up')
  const waitingForHandler = openUpload('/slow-handler')
  waitingForHandler.write('first')
  await expect.poll(() => timeouts).toContain('/slow-handler')
  mayRead.resolve()
  waitingForHandler.end('last')
  const [response]: IncomingMessage[] = await once(waitingForHandler, 'response')
  expect(response && (await text(response))).toBe('firstlast')
  await server.close()
})

/** Returns a header with the hash of the bytes, so that a repeated request can be recognised by its content. */
const digestOf = (bytes: string) => ({ 'content-digest': `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:` })

test('an upload that is sent twice with the same key and digest is stored once, and the second response has the same record', async () => {
  const bytes = 'Analytical Engines'
  const headers = { 'idempotency-key': 'upload-1', 'content-type': 'text/plain', ...digestOf(bytes) }
  storeCalls = 0
  const first = await post('/api/uploads', bytes, headers)
  const second = await post('/api/uploads', bytes, headers)
  expect([first.statusCode, second.statusCode, storeCalls]).toEqual([200, 200, 1])
  expect(second.json()).toEqual(first.json())
  expect(second.headers['foyer-change']).toBe(first.headers['foyer-change'])
  const otherBytes = 'Difference Engines' // of the same length
  const otherUpload = await post('/api/uploads', otherBytes, { ...headers, ...digestOf(otherBytes) })
  expect(otherUpload.json()).toMatchObject({ code: 'request_reused' })
  const atOnceHeaders = { ...headers, 'idempotency-key': 'upload-2', ...digestOf('At once') }
  const both = await Promise.all([1, 2].map(() => post('/api/uploads', 'At once', atOnceHeaders)))
  expect(both.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  const names = await app.database.read(ada, () => sql('select name from companies order by id'))
  expect(names).toEqual([{ name: 'Analytical Engines' }, { name: 'At once' }])
})

test.each([
  ['no digest', {}],
  ['a digest that is not collision-resistant', { 'content-digest': 'md5=:1B2M2Y8AsgTpgAmY7PhCfg==:' }],
])('an upload with %s and a key that was used before is refused, because its bytes may differ', async (_name, digest) => {
  const headers = { 'idempotency-key': randomUUID(), ...digest }
  expect((await post('/api/uploads', 'AAAA', headers)).statusCode).toBe(200)
  for (const bytes of ['AAAA', 'BBBB']) {
    const repeated = await post('/api/uploads', bytes, headers)
    expect([repeated.statusCode, repeated.json().code]).toEqual([422, 'request_reused'])
  }
})

test('a route with a raw body gets the bytes and the parsed body, and a body of more than 1 MB is refused', async () => {
  const json = { 'content-type': 'application/json' }
  const body = '{ "event":\n"paid" }'
  expect((await post('/api/uploads/hook', body, json)).json()).toEqual({ event: 'paid', signature: sign(body) })
  expect((await post('/api/uploads/hook', '{"event":1}', json)).json()).toMatchObject({ code: 'invalid' })
  expect((await post('/api/uploads/hook', '{', json)).json()).toMatchObject({ code: 'malformed' })
  expect((await post('/api/uploads/hook', body, { 'content-type': 'text/plain' })).json()).toMatchObject({ code: 'unsupported_media_type' })
  expect((await post('/api/uploads/any-hook', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' })).json()).toEqual({ bytes: 3 })
  expect((await post('/api/uploads/any-hook', Buffer.alloc(2_000_000))).json()).toMatchObject({ code: 'too_large' })
})
