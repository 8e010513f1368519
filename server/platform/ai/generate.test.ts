import { expect, test } from 'vitest'
import type { Part, Reply } from '#server/testing/ai-reply.ts'
import { startAiServer } from '#server/testing/ai-server.ts'
import { ask, createFindTool } from './testing.ts'
import type { Answer, AnswerLimits } from './types.ts'

test('An answer is passed on in pieces, with its tokens and the messages to send back later.', async () => {
  await using server = await startAiServer({ respond: () => 'Ada and Grace.' })
  const pieces: string[] = []
  const answer = await ask(server, { onText: (text) => pieces.push(text) })
  // the stand-in reports the same numbers of tokens for each answer
  expect(answer).toMatchObject({ text: 'Ada and Grace.', state: 'done', problem: '', use: { inputTokens: 120, outputTokens: 7 } })
  expect(answer.use).not.toHaveProperty('characters')
  expect(pieces).toEqual(['Ada ', 'and ', 'Grace.'])
  expect(server.requests[0]).toMatchObject({ instructions: 'Be short.', text: 'Who is new?', body: { temperature: 0.2, model: 'small' } })
  const again = [
    { role: 'user', text: 'Who is new?' } as const,
    { role: 'assistant', ...answer } as const,
    { role: 'user', text: 'And old?' } as const,
  ]
  await ask(server, { messages: JSON.parse(JSON.stringify(again)) })
  expect(server.requests[1]?.body.messages).toMatchObject([
    { role: 'system' },
    { role: 'user', content: 'Who is new?' },
    { role: 'assistant', content: 'Ada and Grace.' },
    { role: 'user', content: 'And old?' },
  ])
})

test('a model that takes no temperature gets its requests without one', async () => {
  const message = `Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.`
  const error = { message, type: 'invalid_request_error', param: 'temperature', code: 'unsupported_value' }
  await using server = await startAiServer({
    respond: ({ body }) => (body.temperature === undefined ? 'Ada.' : { status: 400, body: { error } }),
  })
  expect(await ask(server)).toMatchObject({ text: 'Ada.', state: 'done', problem: '' })
  expect(await ask(server)).toMatchObject({ text: 'Ada.', state: 'done', problem: '' })
  expect(server.requests.map(({ body }) => body.temperature)).toEqual([0.2, undefined, undefined])
})

test('a request that is refused for another reason than its model does not blame the model', async () => {
  const error = { message: 'Unsupported parameter with this model.', type: 'invalid_request_error' }
  await using server = await startAiServer({ respond: () => ({ status: 400, body: { error } }) })
  expect(await ask(server)).toMatchObject({ state: 'failed', failure: 'failed' })
})

const completeAnswers: { what: string; reply: Reply; text: string }[] = [
  { what: 'with keep-alives', reply: [{ fault: 'keep-alive' }, { text: 'a' }, { fault: 'keep-alive' }, { text: 'b' }], text: 'ab' },
  {
    what: 'whose bytes come one by one in lines with CR and LF',
    reply: [{ bytewise: 'Zażółć gęślą jaźń 🙂' }],
    text: 'Zażółć gęślą jaźń 🙂',
  },
  { what: 'with a chunk that is not JSON', reply: [{ text: 'one ' }, { fault: 'malformed' }, { text: 'two' }], text: 'one two' },
  { what: 'with reasoning in its own field', reply: [{ reasoning: 'Hm.' }, { text: 'Ada' }], text: 'Ada' },
  { what: 'with reasoning as Ollama sends it', reply: [{ reasoning: 'Hm.', field: 'reasoning' }, { text: 'Ada' }], text: 'Ada' },
  { what: 'with reasoning in tags', reply: [{ text: ['<thi', 'nk>Hm', 'm.</th', 'ink>', 'Ada'] }], text: 'Ada' },
]

for (const { what, reply, text } of completeAnswers)
  test(`An answer ${what} is complete, and nothing else is shown.`, async () => {
    await using server = await startAiServer({ respond: () => reply })
    const pieces: string[] = []
    const answer = await ask(server, { onText: (piece) => pieces.push(piece) })
    expect(answer).toMatchObject({ text, state: 'done', problem: '' })
    expect(pieces.join('')).toBe(text)
    expect(JSON.stringify(answer.modelMessages)).not.toContain('Hm')
  })

const partial: Part = { text: 'Ada and ' }
const shortLimits = { firstMs: 150, chunkMs: 150 }
type IncompleteAnswer = { what: string; reply: Reply; answer: Partial<Answer>; limits?: AnswerLimits; requests?: number }

const incompleteAnswers: IncompleteAnswer[] = [
  {
    what: 'a connection that is cut',
    reply: [partial, { wait: 10 }, { fault: 'cut' }],
    answer: { text: 'Ada and ', state: 'interrupted', problem: 'The answer broke off.' },
  },
  {
    what: 'an end without a reason',
    reply: [partial, { fault: 'end' }],
    answer: { text: 'Ada and ', state: 'interrupted', problem: 'The answer broke off.' },
  },
  {
    what: 'an error in the middle',
    reply: [partial, { error: { message: 'overloaded', type: 'server_error', code: 503 } }],
    answer: { text: 'Ada and ', state: 'interrupted', problem: 'The answer broke off.' },
  },
  {
    what: 'an error in the middle whose event has only a text',
    reply: [partial, { error: 'overloaded' }],
    answer: { text: 'Ada and ', state: 'interrupted', problem: 'The answer broke off.' },
  },
  {
    what: 'the token limit of the model',
    reply: [partial, { finish: 'length' }],
    answer: { text: 'Ada and ', state: 'cut', problem: 'The answer reached the limit of the model and was cut.' },
  },
  {
    what: 'the filter of the service',
    reply: [partial, { finish: 'content_filter' }],
    answer: { text: 'Ada and ', state: 'cut', problem: 'The filter of the AI service stopped the answer.' },
  },
  {
    what: 'an empty answer',
    reply: [],
    answer: { text: '', state: 'failed', problem: 'The AI service gave an empty answer.' },
  },
  {
    what: 'silence before the response',
    reply: { isSilent: true },
    limits: shortLimits,
    answer: { text: '', state: 'failed', problem: 'The AI service did not answer in time.' },
  },
  {
    what: 'silence before the first text',
    reply: [{ fault: 'silence' }],
    limits: shortLimits,
    answer: { text: '', state: 'failed', problem: 'The AI service did not answer in time.' },
  },
  {
    what: 'silence in the middle',
    reply: [partial, { fault: 'silence' }],
    limits: { chunkMs: 500 },
    answer: { text: 'Ada and ', state: 'interrupted', problem: 'The AI service did not answer in time.' },
  },
  {
    what: 'an answer that takes too long in all',
    reply: [{ text: Array.from({ length: 500 }, () => 'x'), everyMs: 20 }],
    limits: { totalMs: 2000 },
    answer: { state: 'interrupted', problem: 'The AI service did not answer in time.' },
  },
  {
    what: 'a text that is too long',
    reply: [{ text: Array.from({ length: 50 }, () => 'abcdefghi ') }, { fault: 'silence' }],
    limits: { maxCharacters: 100 },
    answer: { state: 'cut', problem: 'The answer reached the limit of the model and was cut.' },
  },
  {
    what: 'reasoning without an end',
    reply: [
      partial,
      { raw: `data: ${JSON.stringify({ choices: [{ delta: { reasoning_content: 'x'.repeat(200) } }] })}\n\n` },
      { fault: 'silence' },
    ],
    limits: { maxCharacters: 100 },
    answer: { text: 'Ada and ', state: 'cut', problem: 'The answer reached the limit of the model and was cut.' },
  },
  {
    what: 'input for a tool without an end',
    reply: [partial, { calls: [{ name: 'find', input: 'x'.repeat(400) }] }, { fault: 'silence' }],
    limits: { maxCharacters: 100 },
    answer: { text: 'Ada and ', state: 'cut', problem: 'The answer reached the limit of the model and was cut.' },
  },
  {
    what: 'a wrong key',
    reply: { status: 401, body: { error: { message: 'Incorrect API key provided: sk-1' } } },
    answer: { text: '', state: 'failed', problem: 'The AI service refused the key.' },
  },
  {
    what: 'an unknown model',
    reply: { status: 404, body: { error: { message: 'model "small" not found' } } },
    answer: { state: 'failed', problem: 'The AI service does not know this model.' },
  },
  {
    what: 'too many requests, twice',
    reply: { status: 429, headers: { 'retry-after-ms': '10' }, body: { error: { message: 'slow down' } } },
    requests: 2,
    answer: { state: 'failed', problem: 'The AI service is busy, or its limit is reached. Please try again in a minute.' },
  },
  {
    what: 'an account without credit',
    reply: { status: 402, body: { error: { code: 'insufficient_quota' } } },
    answer: { state: 'failed', problem: 'The account at the AI service has no credit left.' },
  },
  {
    what: 'a page of a gateway in HTML, twice',
    reply: { status: 502, headers: { 'content-type': 'text/html', 'retry-after-ms': '10' }, body: '<html>Bad gateway</html>' },
    requests: 2,
    answer: { state: 'failed', problem: 'The AI service failed. Please try again.' },
  },
  {
    what: 'a conversation that is too long',
    reply: { status: 400, body: { error: { message: 'too long', code: 'context_length_exceeded' } } },
    answer: { state: 'failed', problem: 'This is too long for the model. Start a new conversation, or ask about less.' },
  },
  {
    what: 'a page in HTML instead of a stream',
    reply: { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Welcome</html>' },
    answer: { text: '', state: 'failed', problem: 'There is no AI service at this address. It usually ends in /v1.' },
  },
]

for (const { what, reply, answer, limits, requests = 1 } of incompleteAnswers)
  test(`After ${what} the answer keeps its text and says why it is not complete.`, async () => {
    await using server = await startAiServer({ respond: () => reply })
    const { problem, ...rest } = await ask(server, { limits })
    expect({ problem, ...rest }).toMatchObject(answer)
    expect(problem).toMatch(/\.$/)
    expect(server.requests).toHaveLength(requests)
    await expect.poll(() => server.requests.every(({ state }) => state !== 'open')).toBe(true)
  })

test('After too many requests, the answer is requested again at the time that the service named.', async () => {
  const replies: Reply[] = [{ status: 429, headers: { 'retry-after': '1' }, body: { error: { message: 'slow down' } } }, 'Ada.']
  await using server = await startAiServer({ respond: () => replies.shift() })
  const started = performance.now()
  expect(await ask(server)).toMatchObject({ text: 'Ada.', state: 'done' })
  expect(performance.now() - started).toBeGreaterThan(900)
})

test('If the address redirects to another one, the answer says so and the key is not sent there.', async () => {
  await using other = await startAiServer()
  await using server = await startAiServer({
    key: 'secret',
    respond: () => ({ status: 307, headers: { location: other.baseUrl }, body: '' }),
  })
  expect(await ask(server)).toMatchObject({ state: 'failed', problem: 'The address leads to another one. Enter that address.' })
  expect(other.requests).toEqual([])
})

test('If nothing listens at the address, the answer says that nothing answers there.', async () => {
  const server = await startAiServer()
  await server[Symbol.asyncDispose]()
  expect(await ask(server)).toMatchObject({ text: '', state: 'failed', problem: 'Nothing answers at this address.' })
})

test('Stopping an answer closes the connection to the service at once and keeps the text.', async () => {
  await using server = await startAiServer({ respond: () => [partial, { fault: 'silence' }] })
  const stop = new AbortController()
  const answer = await ask(server, { signal: stop.signal, onText: () => stop.abort() })
  const characters = 'Be short.Who is new?Ada and '.length // counted, because the service reports its tokens only at the end
  expect(answer).toMatchObject({ text: 'Ada and ', state: 'stopped', problem: '', use: { inputTokens: undefined, characters } })
  await expect.poll(() => server.requests[0]?.state).toBe('closed by the client')
})

const prompt = 'Be short.Who is new?'
const call = '{"name":"Ada"}'
const toolResult = '[{"id":"c1","name":"Ada"}]'

test('A step whose tokens are not reported counts everything that it sends, with calls of tools and their results.', async () => {
  await using server = await startAiServer({
    respond: ({ toolResults }) =>
      toolResults.length > 0 ? [partial, { fault: 'silence' }] : [{ calls: [{ name: 'find', input: { name: 'Ada' } }] }],
  })
  const stop = new AbortController()
  const answer = await ask(server, { tools: [createFindTool().tool], signal: stop.signal, onText: () => stop.abort() })
  expect(answer.use).toEqual({ inputTokens: 120, outputTokens: 7, characters: `${prompt}${call}${toolResult}Ada and `.length })
})

test('If an endpoint reports no tokens, the characters of all steps are counted.', async () => {
  await using server = await startAiServer({
    respond: ({ toolResults }) => (toolResults.length > 0 ? 'It is Ada.' : [{ calls: [{ name: 'find', input: { name: 'Ada' } }] }]),
    reportsUse: false,
  })
  const answer = await ask(server, { tools: [createFindTool().tool] })
  const firstStep = `${prompt}${call}`
  expect(answer).toMatchObject({ state: 'done', use: { characters: `${firstStep}${firstStep}${toolResult}It is Ada.`.length } })
})

test('If the signal has aborted before the call, the answer is stopped and nothing is requested.', async () => {
  await using server = await startAiServer({ respond: () => 'Ada' })
  expect(await ask(server, { signal: AbortSignal.abort() })).toMatchObject({ text: '', state: 'stopped' })
  expect(server.requests).toEqual([])
})

test('A reader that throws ends the answer and closes the connection.', async () => {
  await using server = await startAiServer({ respond: () => [partial, { fault: 'silence' }] })
  const onText = (): void => {
    throw new Error('The reader has gone')
  }
  expect(await ask(server, { onText })).toMatchObject({ text: 'Ada and ', state: 'interrupted' })
  await expect.poll(() => server.requests[0]?.state).toBe('closed by the client')
})

test('The SDK refuses a model that is given by its name, and does not look for the name at the gateway of its makers.', async () => {
  await using server = await startAiServer({ respond: () => 'Ada' })
  await ask(server) // sets the provider that refuses names
  const { generateText } = await import('ai')
  process.env.AI_GATEWAY_API_KEY = 'a-key'
  await expect(
    generateText({ model: 'openai/large', prompt: 'Hello' }).finally(() => delete process.env.AI_GATEWAY_API_KEY),
  ).rejects.toThrow('A model must be an object, never a name')
})

test('A piece is passed on although the reader has not finished with earlier pieces.', async () => {
  await using server = await startAiServer({ respond: () => [{ text: ['a', 'b', 'c'], everyMs: 5 }] })
  const pieces: string[] = []
  const readers: Promise<void>[] = []
  const onText = (text: string): void => void readers.push(new Promise(() => pieces.push(text))) // a reader that never ends
  const answer = await ask(server, { onText, limits: { chunkMs: 300 } })
  expect(pieces).toEqual(['a', 'b', 'c'])
  expect(answer).toMatchObject({ text: 'abc', state: 'done' })
})
