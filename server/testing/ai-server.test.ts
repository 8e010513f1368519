import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Reply } from './ai-reply.ts'
import { startAiServer } from './ai-server.ts'

/** Reads a response whose shape is what the test asserts. */
const readJson = async (response: Response) => JSON.parse(await response.text())

const ask = (baseUrl: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${baseUrl}/chat/completions`, { method: 'POST', headers, body: JSON.stringify(body) })

const hello = { model: 'small', messages: [{ role: 'user', content: 'Hello' }] }

test('an answer is streamed in chunks with a finish reason, the tokens and an end, as OpenAI describes it', async () => {
  await using ai = await startAiServer({ respond: () => 'Good morning' })
  const response = await ask(ai.baseUrl, { ...hello, stream: true, stream_options: { include_usage: true } })
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  const lines = (await response.text()).split('\n\n')
  expect(lines.at(-2)).toBe('data: [DONE]')
  const chunks = lines.slice(0, -2).map((line) => JSON.parse(line.slice('data: '.length)))
  expect(chunks.map(({ choices }) => choices[0]?.delta)).toMatchObject([
    { role: 'assistant' },
    { content: 'Good ' },
    { content: 'morning' },
    {},
    undefined,
  ])
  expect(chunks.at(-2).choices[0].finish_reason).toBe('stop')
  // the stand-in reports the same numbers of tokens for every answer
  expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 120, completion_tokens: 7 } })
  expect(ai.requests).toMatchObject([{ text: 'Hello', path: '/chat/completions' }])
  await expect.poll(() => ai.requests[0]?.state).toBe('answered')
})

test('an answer that is not streamed has the same text and calls', async () => {
  await using ai = await startAiServer({ respond: () => [{ text: 'Wait.' }, { calls: [{ name: 'find', input: { kind: 'deal' } }] }] })
  const { choices } = await readJson(await ask(ai.baseUrl, hello))
  expect(choices[0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: { content: 'Wait.', tool_calls: [{ id: 'call_1', function: { name: 'find', arguments: '{"kind":"deal"}' } }] },
  })
})

test('a wrong key is refused with 401, and a conversation in which a call has no result is refused with 400', async () => {
  await using ai = await startAiServer({ key: 'right' })
  expect((await ask(ai.baseUrl, hello, { authorization: 'Bearer wrong' })).status).toBe(401)
  expect((await fetch(`${ai.baseUrl}/models`)).status).toBe(401)
  const calls = [{ id: 'call_1', type: 'function', function: { name: 'find', arguments: '{}' } }]
  const messages = [...hello.messages, { role: 'assistant', content: null, tool_calls: calls }, { role: 'user', content: 'And?' }]
  expect((await ask(ai.baseUrl, { ...hello, messages }, { authorization: 'Bearer right' })).status).toBe(400)
})

test('a request whose client disconnects is marked as closed by the client', async () => {
  await using ai = await startAiServer({ respond: () => [{ text: 'One' }, { fault: 'silence' }] })
  const stop = new AbortController()
  const request = fetch(`${ai.baseUrl}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ ...hello, stream: true }),
    signal: stop.signal,
  })
  await request
  stop.abort()
  await expect.poll(() => ai.requests[0]?.state).toBe('closed by the client')
})

test('a picture is sent as base64 or as an address', async () => {
  const picture = await sharp({ create: { width: 2, height: 2, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const replies: Reply[] = [
    { picture, as: 'b64_json' },
    { picture, as: 'url' },
  ]
  await using ai = await startAiServer({ respond: () => replies.shift() })
  const make = async () => readJson(await fetch(`${ai.baseUrl}/images/generations`, { method: 'POST', body: '{"prompt":"red"}' }))
  expect(Buffer.from((await make()).data[0].b64_json, 'base64')).toEqual(picture)
  const [{ url }] = (await make()).data
  expect(Buffer.from(await (await fetch(url)).arrayBuffer())).toEqual(picture)
})

test('without `respond` the stand-in lists models, calls the tools that a message names, answers with JSON of a schema, and draws', async () => {
  await using ai = await startAiServer()
  expect((await readJson(await fetch(`${ai.baseUrl}/models`))).data).toMatchObject([{ id: 'small' }, { id: 'large' }, { id: 'painter' }])
  expect(await readJson(await fetch(new URL('/api/tags', ai.baseUrl)))).toMatchObject({ models: [{ name: 'small' }, {}, {}] })
  const tools = [{ type: 'function', function: { name: 'find', parameters: { type: 'object' } } }]
  const messages = [{ role: 'user', content: 'tool: find {"kind":"contact"}' }]
  const called = await readJson(await ask(ai.baseUrl, { model: 'small', messages, tools }))
  expect(called.choices[0].message.tool_calls).toMatchObject([{ function: { name: 'find', arguments: '{"kind":"contact"}' } }])
  const schema = { type: 'object', properties: { name: { type: 'string' }, sums: { type: 'array', items: { type: 'number' } } } }
  const system = { role: 'system', content: `Answer with JSON.\n${JSON.stringify(schema)}` }
  const answered = await readJson(await ask(ai.baseUrl, { model: 'small', messages: [system, ...hello.messages] }))
  expect(JSON.parse(answered.choices[0].message.content)).toEqual({ name: 'An example', sums: [1] })
  const drawn = await readJson(await fetch(`${ai.baseUrl}/images/generations`, { method: 'POST', body: '{"prompt":"A sunset"}' }))
  expect(await sharp(Buffer.from(drawn.data[0].b64_json, 'base64')).metadata()).toMatchObject({ format: 'png', width: 1024 })
})
