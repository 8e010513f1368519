import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Reply } from '#server/testing/ai-reply.ts'
import type { AiRequest } from '#server/testing/ai-request.ts'
import { startAiServer, type AiServerOptions } from '#server/testing/ai-server.ts'
import { createAi } from './ai.ts'
import { testAi } from './testing.ts'

const picture = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
  .png()
  .toBuffer()

/** Replies as an endpoint and a model that can do everything. */
function ableReply({ path, tools, pictures, body }: AiRequest): Reply | undefined {
  if (path === '/models') return undefined
  if (path === '/images/generations') return { picture, as: 'b64_json' }
  if (tools.length > 0) return [{ calls: [{ name: 'report_ready', input: { ready: true } }] }]
  if (pictures.length > 0) return 'Red'
  return 'response_format' in body ? '{"sum":5}' : 'Hello'
}

async function probeWith(options: AiServerOptions, changes: { key?: string; baseUrl?: string; imageModel?: undefined } = {}) {
  await using server = await startAiServer(options)
  const { baseUrl, key, model, imageModel } = { ...server.connection, ...changes }
  return { ...(await testAi.probe({ baseUrl: baseUrl.replace('PORT', new URL(server.baseUrl).port), key, model, imageModel })), server }
}

const refuse = (message: string): Reply => ({ status: 400, body: { error: { message } } })
const unknownCapabilities = { tools: null, structured_output: null, vision: null, images: null }
const allCapabilities = { tools: true, structured_output: true, vision: true, images: true }

test('A connection with which everything works has all capabilities.', async () => {
  const { failure, problem, capabilities, server } = await probeWith({ respond: ableReply, key: 'right' })
  expect({ failure, problem, capabilities }).toEqual({ failure: undefined, problem: '', capabilities: allCapabilities })
  expect(server.requests.filter(({ path }) => path === '/images/generations')).toHaveLength(1)
  const [sentPicture = ''] = server.requests.flatMap(({ pictures }) => pictures)
  const { channels } = await sharp(Buffer.from(sentPicture.replace('data:image/png;base64,', ''), 'base64')).stats()
  expect(channels.map(({ mean }) => mean)).toEqual([255, 0, 0])
})

test('Without a model for pictures it stays unknown whether the connection can make them.', async () => {
  const { failure, capabilities } = await probeWith({ respond: ableReply }, { imageModel: undefined })
  expect({ failure, capabilities }).toEqual({ failure: undefined, capabilities: { ...allCapabilities, images: null } })
})

type Case = {
  what: string
  respond?: AiServerOptions['respond']
  changes?: { key?: string; baseUrl?: string }
  failure: string
  problem: string
  capabilities?: object
}

const cases: Case[] = [
  {
    what: 'another key',
    changes: { key: 'sk-wrong' },
    failure: 'key',
    problem: 'The AI service refused the key.',
  },
  {
    what: 'an address without the path',
    changes: { baseUrl: 'http://127.0.0.1:PORT' },
    failure: 'address',
    problem: 'There is no AI service at this address. It usually ends in /v1.',
  },
  {
    what: 'a port at which nothing listens',
    changes: { baseUrl: 'http://127.0.0.1:1/v1' },
    failure: 'address',
    problem: 'Nothing answers at this address.',
  },
  {
    what: 'an address in a private network',
    changes: { baseUrl: 'http://10.0.0.1/v1' },
    failure: 'address',
    problem: 'This address is in a private network. The operator of this server can allow it with FOYER_ALLOWED_HOSTS.',
  },
  {
    what: 'a web page',
    respond: () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Welcome</html>' }),
    failure: 'address',
    problem: 'There is no AI service at this address. It usually ends in /v1.',
  },
  {
    what: 'an unknown model',
    respond: ({ path }) => (path === '/models' ? undefined : { status: 404, body: { error: { message: 'model "small" not found' } } }),
    failure: 'model',
    problem: 'The AI service does not know this model.',
  },
  {
    what: 'a model without tools',
    respond: (request) => (request.tools.length > 0 ? refuse('small does not support tools') : ableReply(request)),
    failure: 'no_tools',
    problem: 'This model cannot use tools, so the assistant can answer with it but cannot look anything up or propose changes.',
    capabilities: { ...allCapabilities, tools: false },
  },
  {
    what: 'a model that answers instead of calling the tool',
    respond: (request) => (request.tools.length > 0 ? 'I am ready.' : ableReply(request)),
    failure: 'no_tools',
    problem: 'This model cannot use tools, so the assistant can answer with it but cannot look anything up or propose changes.',
    capabilities: { ...allCapabilities, tools: false },
  },
  {
    what: 'a model for pictures that makes none',
    respond: (request) => (request.path === '/images/generations' ? refuse('not an image model') : ableReply(request)),
    failure: 'no_pictures',
    problem: 'The model for pictures makes no pictures.',
    capabilities: { ...allCapabilities, images: false },
  },
  {
    what: 'a service that refuses pictures at the moment',
    respond: (request) =>
      request.path === '/images/generations' ? { status: 429, body: { error: { message: 'slow down' } } } : ableReply(request),
    failure: 'no_pictures',
    problem: 'The AI service is busy, or its limit is reached. Please try again in a minute.',
    capabilities: { ...allCapabilities, images: null },
  },
]

for (const { what, respond = ableReply, changes, failure, problem, capabilities = unknownCapabilities } of cases)
  test(`The test of a connection with ${what} says so in one sentence.`, async () => {
    const { server, ...outcome } = await probeWith({ respond, key: 'right' }, changes)
    expect(outcome).toEqual({ failure, problem, capabilities })
    expect(server.requests.every(({ state }) => state !== 'open')).toBe(true)
  })

/** The requests of a probe that ask for something that not every model can do. */
const isStep = {
  tools: ({ tools }: AiRequest) => tools.length > 0,
  structured_output: ({ body }: AiRequest) => 'response_format' in body,
  vision: ({ pictures }: AiRequest) => pictures.length > 0,
  images: ({ path }: AiRequest) => path === '/images/generations',
}
const temporaryReplies: Record<string, Reply> = {
  'is answered with status 429': { status: 429, headers: { 'retry-after-ms': '1' }, body: { error: { message: 'slow down' } } },
  'is answered with status 503': { status: 503, headers: { 'retry-after-ms': '1' }, body: '<html>Unavailable</html>' },
  'loses its connection': [{ text: 'a' }, { fault: 'cut' }],
}
const temporaryCases = (['tools', 'structured_output', 'vision', 'images'] as const).flatMap((step) =>
  Object.entries(temporaryReplies).map(([event, reply]) => ({ step, event, reply })),
)

test.each(temporaryCases)('When the request for $step $event, it stays unknown whether the model can do that.', async ({ step, reply }) => {
  const { failure, problem, capabilities } = await probeWith({
    respond: (request) => (isStep[step](request) ? reply : ableReply(request)),
  })
  expect(capabilities).toEqual(step === 'tools' ? unknownCapabilities : { ...allCapabilities, [step]: null })
  expect(failure).toBeDefined()
  expect(problem).not.toBe('')
})

test('When a service answers with status 200 and an error, it stays unknown whether the model keeps to a schema.', async () => {
  const respond = (request: AiRequest): Reply | undefined =>
    'response_format' in request.body ? { status: 200, body: { error: { code: 429, message: 'slow down' } } } : ableReply(request)
  const { failure, capabilities } = await probeWith({ respond })
  expect({ failure, capabilities }).toEqual({ failure: 'failed', capabilities: { ...allCapabilities, structured_output: null } })
})

// llama.cpp refuses with status 500
test('A model is unable to do what the service refuses with status 500 because it is not supported.', async () => {
  const refuseWith500 = (message: string): Reply => ({ status: 500, headers: { 'retry-after-ms': '1' }, body: { error: { message } } })
  const respond = (request: AiRequest): Reply | undefined => {
    if (request.tools.length > 0) return refuseWith500('tools param requires --jinja flag')
    return request.pictures.length > 0 ? refuseWith500('image input is not supported by this server') : ableReply(request)
  }
  const { failure, capabilities } = await probeWith({ respond })
  expect({ failure, capabilities }).toEqual({ failure: 'no_tools', capabilities: { ...allCapabilities, tools: false, vision: false } })
})

test('A model is unable to do what the service refuses with a status of bad requests, whatever its message.', async () => {
  const respond = (request: AiRequest): Reply | undefined =>
    request.pictures.length > 0 || 'response_format' in request.body ? refuse('Bad input') : ableReply(request)
  const { failure, capabilities } = await probeWith({ respond })
  expect({ failure, capabilities }).toEqual({
    failure: undefined,
    capabilities: { ...allCapabilities, vision: false, structured_output: false },
  })
})

test('A model that does not see and cannot keep to a schema works nevertheless.', async () => {
  const respond = (request: AiRequest): Reply | undefined => {
    if (request.pictures.length > 0) return refuse('image input is not supported')
    return 'response_format' in request.body ? 'It is 5.' : ableReply(request)
  }
  const { failure, capabilities } = await probeWith({ respond })
  expect({ failure, capabilities }).toEqual({
    failure: undefined,
    capabilities: { ...allCapabilities, vision: false, structured_output: false },
  })
})

test('The models of an endpoint are listed in alphabetical order. With a wrong key the list fails.', async () => {
  await using server = await startAiServer({ key: 'right', models: ['b', 'a', 'b'] })
  expect(await testAi.listModels(server.connection)).toEqual(['a', 'b'])
  await expect(testAi.listModels({ baseUrl: `${server.baseUrl}/`, key: 'wrong' })).rejects.toMatchObject({
    name: 'AiFailure',
    reason: 'key',
  })
})

test('AI servers on this machine are found and may be used while they list models; other services on it may not be used.', async () => {
  await using server = await startAiServer()
  await using other = await startAiServer({ respond: () => ({ status: 200, body: '<html>' }) })
  const localServers = [
    { name: 'Ollama', baseUrl: server.baseUrl },
    { name: 'LM Studio', baseUrl: 'http://127.0.0.1:1/v1' },
    { name: 'llama.cpp', baseUrl: other.baseUrl },
  ]
  const ai = createAi({ allowedHosts: [], localServers })
  expect(await ai.findLocalServers()).toEqual([{ name: 'Ollama', baseUrl: server.baseUrl, models: ['large', 'painter', 'small'] }])
  // a new instance, which has not looked for the servers before
  expect(await createAi({ allowedHosts: [], localServers }).listModels({ ...server.connection })).toHaveLength(3)
  const byName = server.baseUrl.replace('127.0.0.1', 'localhost')
  expect(await ai.listModels({ baseUrl: byName, key: undefined })).toHaveLength(3)
  await expect(ai.listModels(other.connection)).rejects.toMatchObject({
    reason: 'address',
    message: expect.stringContaining('private network'),
  })
})

test('The address of the operator need not be an allowed host, but a picture of another endpoint is not downloaded from it.', async () => {
  await using server = await startAiServer({ respond: () => 'Hello' })
  const ai = createAi({ allowedHosts: [], operatorUrl: server.baseUrl, localServers: [] })
  expect(await ai.complete(server.connection, { instructions: '', text: 'Hello' })).toMatchObject({ text: 'Hello' })
  await using other = await startAiServer({ respond: () => ({ status: 200, body: { data: [{ url: server.baseUrl }] } }) })
  const aiWithOther = createAi({
    allowedHosts: [`127.0.0.1:${new URL(other.baseUrl).port}`],
    operatorUrl: server.baseUrl,
    localServers: [],
  })
  const requests = server.requests.length
  await expect(aiWithOther.makeImage(other.connection, { prompt: 'x' })).rejects.toMatchObject({ reason: 'address' })
  expect(server.requests).toHaveLength(requests)
})

test('No error contains the key, also when the endpoint repeats it.', async () => {
  const key = 'sk-very-secret-key'
  const replies: Reply[] = [
    { status: 401, body: { error: { message: `Incorrect API key provided: ${key}` } } },
    { status: 400, body: { error: { message: `${key} may not use this model` } } },
    [{ text: 'a' }, { error: { message: `Bearer ${key} has expired` } }],
    [{ text: 'a' }, { raw: `data: {"key":"${key}\n\n` }, { fault: 'end' }],
    { status: 200, headers: { 'content-type': 'text/html' }, body: `<html>${key}` },
  ]
  const printed: unknown[] = []
  const write = process.stderr.write.bind(process.stderr)
  process.stderr.write = (text: string | Uint8Array) => printed.push(text) > 0
  try {
    for (const reply of replies) {
      await using server = await startAiServer({ respond: () => reply })
      const connection = { ...server.connection, key }
      const errors: unknown[] = await Promise.all([
        testAi.generate(connection, { instructions: '', messages: [{ role: 'user', text: 'Hello' }] }),
        testAi.probe(connection),
        testAi.complete(connection, { instructions: '', text: 'Hello' }).catch((error: unknown) => error),
        testAi.makeImage(connection, { prompt: 'x' }).catch((error: unknown) => error),
        testAi.listModels(connection).catch((error: unknown) => error),
      ])
      expect(server.requests.every(({ headers }) => headers.authorization === `Bearer ${key}`)).toBe(true)
      expect(JSON.stringify(errors.map(loggedParts))).not.toContain('secret')
    }
  } finally {
    process.stderr.write = write
  }
  expect(printed.join('')).not.toContain('secret')
})

/** Returns everything in a value that a log could contain, also the causes of errors. */
function loggedParts(value: unknown): unknown {
  if (!(value instanceof Error)) return value
  return { ...Object.fromEntries(Object.entries(value)), message: value.message, stack: value.stack, cause: loggedParts(value.cause) }
}
