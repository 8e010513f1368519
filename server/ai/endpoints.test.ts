// The requests to endpoints that an owner enters, against stand-ins. Above all: a key goes only to the origin for which it was entered.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startAiServer, type AiServer, type AiServerOptions } from '#server/testing/ai-server.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { testConnection } from './endpoints.ts'

let app: TestApp
/** Stand-ins of endpoints: `own` and `other` need no key, and `locked` needs `key-of-ada-0001`. */
let own: AiServer
let other: AiServer
let locked: AiServer
let ada: Person
beforeAll(async () => {
  own = await startAiServer()
  other = await startAiServer()
  locked = await startAiServer({ key: 'key-of-ada-0001' })
  const allowedHosts = [own, other, locked].map(({ baseUrl }) => new URL(baseUrl).host)
  app = await openTestApp({ allowedHosts })
})
afterAll(async () => {
  await app.stop()
  for (const server of [own, other, locked]) await server[Symbol.asyncDispose]()
})
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  for (const server of [own, other, locked]) {
    server.requests.length = 0
    server.setRespond(answerAtOnce)
  }
})

const answerAtOnce: AiServerOptions['respond'] = ({ path }) => (path === '/chat/completions' ? 'Hello.' : undefined)
const post = async (path: 'models' | 'test', payload: object) => {
  const response = await ada.send({ method: 'POST', url: `/api/ai/${path}`, payload })
  return { status: response.statusCode, body: response.json() }
}
const readConnection = async () => (await ada.send({ url: '/api/ai' })).json()
const save = async (payload: object) => (await ada.send({ method: 'PUT', url: '/api/ai', payload })).json()
const keysSentTo = (server: AiServer): (string | undefined)[] => [...new Set(server.requests.map(({ headers }) => headers.authorization))]

test('the models of an endpoint are listed', async () => {
  expect(await post('models', { base_url: own.baseUrl })).toEqual({
    status: 200,
    body: { failure: null, problem: null, models: ['large', 'painter', 'small'] },
  })
  expect(keysSentTo(own)).toEqual([undefined])
})

test('the response says in one sentence that the key was refused, or that there is no service at the address', async () => {
  expect(await post('models', { base_url: locked.baseUrl, key: 'wrong' })).toMatchObject({
    body: { failure: 'key', problem: 'The AI service refused the key.', models: [] },
  })
  expect(await post('models', { base_url: own.baseUrl.replace('/v1', '/v2') })).toMatchObject({
    body: { failure: 'address', problem: 'There is no AI service at this address. It usually ends in /v1.', models: [] },
  })
})

test.each(['sk-“abc”', 'sk abc', 'sk-\nabc', 'ключ'])('the key %j, which HTTP cannot send, is refused with a message', async (key) => {
  const fields = { key: 'Enter the key without spaces or special characters' }
  expect(await post('models', { base_url: own.baseUrl, key })).toMatchObject({ status: 422, body: { fields } })
  expect(await post('test', { base_url: own.baseUrl, key, model: 'small' })).toMatchObject({ status: 422, body: { fields } })
  expect(await save({ base_url: own.baseUrl, key, model: 'small' })).toMatchObject({ fields })
  expect(own.requests).toEqual([])
})

test.each(['http://127.0.0.1:9/v1', 'http://10.0.0.1/v1', 'http://169.254.169.254/latest', 'http://[::1]:9/v1', 'http://localhost:9/v1'])(
  'the private address %s is refused',
  async (base_url) => {
    const problem = 'This address is in a private network. The operator of this server can allow it with FOYER_ALLOWED_HOSTS.'
    expect(await post('models', { base_url })).toMatchObject({ status: 200, body: { failure: 'address', problem } })
    expect(await post('test', { base_url, model: 'small' })).toMatchObject({ status: 200, body: { failure: 'address', problem } })
  },
)

test('the test of a connection says that it works, and what the models can do is stored with the connection', async () => {
  const connection = { base_url: locked.baseUrl, key: 'key-of-ada-0001', model: 'small', image_model: 'painter' }
  locked.setRespond(async ({ tools, text, toolResults, path }) => {
    if (path !== '/chat/completions') return undefined
    if (toolResults.length === 0 && tools.includes('report_ready')) return [{ calls: [{ name: 'report_ready', input: '{"ready":true}' }] }]
    return text.includes('sum') ? '{"sum":5}' : 'It is green'
  })
  await save(connection)
  const { body } = await post('test', connection)
  const capabilities = { tools: true, structured_output: true, vision: false, images: true }
  expect(body).toEqual({ failure: null, problem: null, capabilities })
  expect((await readConnection()).capabilities).toEqual(capabilities)
  // a change of the prices keeps the capabilities; those of another model are unknown
  expect((await save({ ...connection, input_price: 1, output_price: 2 })).capabilities).toEqual(capabilities)
  expect((await save({ ...connection, model: 'large' })).capabilities).toEqual({
    tools: null,
    structured_output: null,
    vision: null,
    images: null,
  })
})

/** Replies as a model that can do everything, but with status 429 to requests with a picture. */
const busyWithPictures: AiServerOptions['respond'] = ({ path, tools, text, pictures }) => {
  if (path !== '/chat/completions') return undefined
  if (pictures.length > 0) return { status: 429, headers: { 'retry-after-ms': '1' }, body: { error: { message: 'slow down' } } }
  if (tools.includes('report_ready')) return [{ calls: [{ name: 'report_ready', input: { ready: true } }] }]
  return text.includes('sum') ? '{"sum":5}' : 'Hello.'
}
const seeing: AiServerOptions['respond'] = (request) => (request.pictures.length > 0 ? 'Red' : busyWithPictures(request))

test('when the service is busy while a connection is tested, the response says so, and what was known before stays stored', async () => {
  const connection = { base_url: own.baseUrl, model: 'small' }
  await save(connection)
  own.setRespond(busyWithPictures)
  expect((await post('test', connection)).body).toEqual({
    failure: 'limit',
    problem: 'The AI service is busy, or its limit is reached. Please try again in a minute.',
    capabilities: { tools: true, structured_output: true, vision: null, images: null },
  })
  expect((await readConnection()).capabilities).toMatchObject({ tools: true, vision: null })
  own.setRespond(seeing)
  expect((await post('test', connection)).body).toMatchObject({ failure: null, capabilities: { vision: true } })
  own.setRespond(busyWithPictures)
  await post('test', connection)
  expect((await readConnection()).capabilities).toMatchObject({ tools: true, vision: true })
})

test('what a model can do is also stored when the endpoint answers after the time of a test', async () => {
  const connection = { base_url: own.baseUrl, model: 'small' }
  await save(connection)
  const { promise: allowed, resolve: allow } = Promise.withResolvers<undefined>()
  own.setRespond(async (request) => {
    await allowed
    return seeing(request)
  })
  expect(await testConnection(app.context, ada.id, connection, 1)).toMatchObject({ failure: 'no_answer', capabilities: { tools: null } })
  allow(undefined)
  await expect.poll(async () => (await readConnection()).capabilities).toMatchObject({ tools: true, vision: true })
})

test('the test of a connection that is not saved stores nothing', async () => {
  await save({ base_url: own.baseUrl, model: 'small' })
  await post('test', { base_url: other.baseUrl, model: 'small' })
  await post('test', { base_url: own.baseUrl, model: 'large' })
  expect((await readConnection()).capabilities.tools).toBeNull()
})

test.each([
  ['key', 'The AI service refused the key.', 401, 'no such key'],
  ['model', 'The AI service does not know this model.', 404, 'The model `small` does not exist'],
])('the test of a connection that fails with %s says in one sentence: %s', async (failure, problem, status, message) => {
  own.setRespond(({ path }) => (path === '/chat/completions' ? { status, body: { error: { message } } } : undefined))
  expect((await post('test', { base_url: own.baseUrl, model: 'small' })).body).toMatchObject({ failure, problem })
})

test('the test of a connection says in one sentence that the model cannot use tools', async () => {
  own.setRespond(({ path }) => (path === '/chat/completions' ? 'Hello.' : undefined))
  const { body } = await post('test', { base_url: own.baseUrl, model: 'small' })
  expect(body).toMatchObject({
    failure: 'no_tools',
    problem: expect.stringContaining('This model cannot use tools'),
    capabilities: { tools: false },
  })
})

test('a stored key is sent to its origin only: another address gets no key when its models are listed, or when it is tested or saved', async () => {
  await save({ base_url: locked.baseUrl, key: 'key-of-ada-0001', model: 'small' })
  expect((await post('models', { base_url: locked.baseUrl })).body.failure).toBeNull()
  expect(keysSentTo(locked)).toEqual(['Bearer key-of-ada-0001'])
  expect((await post('models', { base_url: other.baseUrl })).body.failure).toBeNull()
  expect((await post('test', { base_url: other.baseUrl, model: 'small' })).status).toBe(200)
  await save({ base_url: other.baseUrl, model: 'small' })
  await post('models', { base_url: other.baseUrl })
  await post('test', { base_url: other.baseUrl, model: 'small' })
  expect(other.requests.length).toBeGreaterThan(3)
  expect(keysSentTo(other)).toEqual([undefined])
  await save({ base_url: locked.baseUrl, model: 'small' }) // the key does not come back either
  expect((await post('models', { base_url: locked.baseUrl })).body.failure).toBe('key')
})

test('an entered key is used instead of the stored one, and an empty one means no key', async () => {
  await save({ base_url: locked.baseUrl, key: 'an-earlier-key-0002', model: 'small' })
  expect((await post('models', { base_url: locked.baseUrl, key: 'key-of-ada-0001' })).body.failure).toBeNull()
  await post('models', { base_url: locked.baseUrl, key: '' })
  expect(keysSentTo(locked)).toEqual(['Bearer key-of-ada-0001', undefined])
})

test('the stored key of another user is never used', async () => {
  await save({ base_url: locked.baseUrl, key: 'key-of-ada-0001', model: 'small' })
  const grace = await signInAs(app, 'grace')
  const response = await grace.send({ method: 'POST', url: '/api/ai/models', payload: { base_url: locked.baseUrl } })
  expect([response.json().failure, keysSentTo(locked)]).toEqual(['key', [undefined]])
})

test('each AI server that is found on the machine of Foyer has a name, an address and models', async () => {
  const { servers }: { servers: unknown[] } = (await ada.send({ url: '/api/ai/local' })).json()
  expect(servers).toEqual(
    servers.map(() => ({ name: expect.any(String), base_url: expect.stringMatching(/\/v1$/), models: expect.any(Array) })),
  )
})

/** Opens the application with the stand-in `own` as the connection of the operator, and a function that reads what its model can do. */
async function openWithOperator(now = () => new Date()) {
  const connection = { baseUrl: own.baseUrl, key: undefined, model: 'small', imageModel: 'painter', inputPrice: null, outputPrice: null }
  const withOperator = await openTestApp({ connections: app.connections, ai: { connection, maxTokensPerDay: undefined }, now })
  const read = async () => {
    const response = await withOperator.server.inject({ url: '/api/ai', headers: { authorization: `Bearer ${ada.token}` } })
    return response.json().capabilities
  }
  return { read, withOperator }
}

test('the capabilities of the operator’s model are found out once, and no picture is requested', async () => {
  const { read, withOperator } = await openWithOperator()
  expect((await read()).tools).toBeNull()
  await expect.poll(async () => (await read()).tools).not.toBeNull()
  const count = own.requests.length
  await read()
  expect(own.requests).toHaveLength(count)
  expect(own.requests.map(({ path }) => path)).not.toContain('/images/generations')
  await withOperator.stop()
})

test('what stayed unknown of the operator’s model, because the service was busy, is found out ten minutes later', async () => {
  let now = new Date()
  const { read, withOperator } = await openWithOperator(() => now)
  own.setRespond(busyWithPictures)
  await read()
  await expect.poll(read).toMatchObject({ tools: true, structured_output: true, vision: null })
  own.setRespond(seeing)
  const count = own.requests.length
  await read()
  expect(own.requests).toHaveLength(count)
  now = new Date(now.getTime() + 10 * 60 * 1000)
  expect(await read()).toMatchObject({ tools: true, vision: null })
  await expect.poll(async () => (await read()).vision).toBe(true)
  await withOperator.stop()
})
