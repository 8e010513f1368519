import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Part, Reply } from '#server/testing/ai-reply.ts'
import { startAiServer } from '#server/testing/ai-server.ts'
import { ask, createFindTool, thenText } from './testing.ts'
import type { Tool } from './types.ts'

const callAda = { name: 'find', input: { name: 'Ada' } }
const callGrace = { name: 'find', input: { name: 'Grace' } }

const formats: { what: string; parts: Part[]; inputs: unknown[] }[] = [
  { what: 'in fragments', parts: [{ calls: [callAda] }], inputs: [{ name: 'Ada' }] },
  { what: 'whole in one chunk', parts: [{ calls: [callAda], style: 'whole' }], inputs: [{ name: 'Ada' }] },
  { what: 'without an id', parts: [{ calls: [callAda, callGrace], style: 'no id' }], inputs: [{ name: 'Ada' }, { name: 'Grace' }] },
  { what: 'without an index', parts: [{ calls: [callAda, callGrace], style: 'no index' }], inputs: [{ name: 'Ada' }, { name: 'Grace' }] },
  { what: 'one after the other', parts: [{ calls: [callAda, callGrace] }], inputs: [{ name: 'Ada' }, { name: 'Grace' }] },
  {
    what: 'in mixed fragments',
    parts: [{ calls: [callAda, callGrace], style: 'mixed' }],
    inputs: [{ name: 'Ada' }, { name: 'Grace' }],
  },
  {
    what: 'with the same id',
    parts: [
      {
        calls: [
          { ...callAda, id: 'call' },
          { ...callGrace, id: 'call' },
        ],
        style: 'whole',
      },
    ],
    inputs: [{ name: 'Ada' }, { name: 'Grace' }],
  },
  { what: 'with the finish reason "stop"', parts: [{ calls: [callAda] }, { finish: 'stop' }], inputs: [{ name: 'Ada' }] },
]

for (const { what, parts, inputs } of formats)
  test(`If calls of tools are sent ${what}, each is run once and its result is sent back.`, async () => {
    await using server = await startAiServer({ respond: thenText([{ text: 'Let me look.' }, ...parts]) })
    const find = createFindTool()
    const pieces: string[] = []
    const answer = await ask(server, { tools: [find.tool], onText: (text) => pieces.push(text) })
    expect(answer).toMatchObject({ text: 'Let me look.\n\nIt is Ada.', state: 'done', use: { inputTokens: 240, outputTokens: 14 } })
    expect(pieces.join('')).toBe(answer.text)
    expect(find.inputs).toEqual(inputs)
    expect(server.requests).toHaveLength(2)
    expect(server.requests[1]?.toolResults).toEqual(inputs.map(() => '[{"id":"c1","name":"Ada"}]'))
  })

test('Calls with the same id in two steps are both run, and the conversation can go on.', async () => {
  const replies: Reply[] = [[{ calls: [{ ...callAda, id: 'call_0' }] }], [{ calls: [{ ...callGrace, id: 'call_0' }] }], 'Both.', 'Yes.']
  await using server = await startAiServer({ respond: () => replies.shift() })
  const find = createFindTool()
  const answer = await ask(server, { tools: [find.tool] })
  expect(answer).toMatchObject({ text: 'Both.', state: 'done' })
  expect(find.inputs).toHaveLength(2)
  const messages = [
    { role: 'user', text: 'Who?' },
    { role: 'assistant', ...answer },
    { role: 'user', text: 'Sure?' },
  ] as const
  expect(await ask(server, { tools: [find.tool], messages })).toMatchObject({ text: 'Yes.', state: 'done' })
  const roles = server.requests.at(-1)?.body.messages.map(({ role }) => role)
  expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'tool', 'assistant', 'user'])
})

const mistakes: { what: string; parts: Part[]; expectedMessage: RegExp }[] = [
  { what: 'input that is not JSON', parts: [{ calls: [{ name: 'find', input: '{"name": Ada' }] }], expectedMessage: /JSON/ },
  {
    what: 'input that does not match the schema',
    parts: [{ calls: [{ name: 'find', input: { nome: 1 } }] }],
    expectedMessage: /expected string/,
  },
  { what: 'no input', parts: [{ calls: [{ name: 'find', input: '' }], style: 'whole' }], expectedMessage: /expected string/ },
  { what: 'the name of an unknown tool', parts: [{ calls: [{ name: 'drop_tables', input: {} }] }], expectedMessage: /drop_tables/ },
]

for (const { what, parts, expectedMessage } of mistakes)
  test(`A call with ${what} runs nothing; the model gets the reason and goes on.`, async () => {
    await using server = await startAiServer({ respond: thenText(parts, 'I am sorry.') })
    const find = createFindTool()
    expect(await ask(server, { tools: [find.tool] })).toMatchObject({ text: 'I am sorry.', state: 'done' })
    expect(find.inputs).toEqual([])
    expect(server.requests[1]?.toolResults[0]).toMatch(expectedMessage)
  })

test('A call as text that does not end is passed on as text, which counts towards the limit of an answer.', async () => {
  const text = ['[TOOL_REQUEST]', ...Array.from({ length: 3000 }, () => 'x'.repeat(100))]
  await using server = await startAiServer({ respond: () => [{ text }, { fault: 'silence' }] })
  const answer = await ask(server, { tools: [createFindTool().tool], limits: { maxCharacters: 200_000, chunkMs: 5000 } })
  expect(answer).toMatchObject({ state: 'cut', text: expect.stringMatching(/^\[TOOL_REQUEST\]x+$/) })
})

test('Of thousands of calls in one answer only the first 200 are run, and the model gets an error for the others.', async () => {
  const calls = Array.from({ length: 2000 }, (_, index) => ({ ...callAda, id: `call_${index}` }))
  await using server = await startAiServer({ respond: thenText([{ calls, style: 'whole' }]) })
  const find = createFindTool()
  expect(await ask(server, { tools: [find.tool] })).toMatchObject({ text: 'It is Ada.', state: 'done' })
  expect(find.inputs).toHaveLength(200)
  expect(server.requests[1]?.toolResults.at(-1)).toContain('There were too many calls.')
})

test('The model gets the message of an error that a tool throws.', async () => {
  await using server = await startAiServer({ respond: thenText([{ calls: [callAda] }]) })
  const { tool } = createFindTool(() => Promise.reject(new Error('There is no such contact.')))
  expect(await ask(server, { tools: [tool] })).toMatchObject({ text: 'It is Ada.', state: 'done' })
  expect(server.requests[1]?.toolResults).toEqual(['Error: There is no such contact.'])
})

test('A tool that does not end in time counts as failed, also if it ignores its signal.', async () => {
  await using server = await startAiServer({ respond: thenText([{ calls: [callAda] }]) })
  const { tool } = createFindTool(() => new Promise(() => {}))
  expect(await ask(server, { tools: [tool], limits: { toolMs: 50 } })).toMatchObject({ text: 'It is Ada.', state: 'done' })
  expect(server.requests[1]?.toolResults).toEqual(['Error: The tool took too long.'])
})

test('Stopping the answer ends a running tool, and the model is not asked again.', async () => {
  await using server = await startAiServer({ respond: thenText([{ text: 'Let me look.' }, { calls: [callAda] }]) })
  const stop = new AbortController()
  const { tool } = createFindTool((_input, signal) => {
    stop.abort()
    expect(signal.aborted).toBe(true)
    return new Promise(() => {})
  })
  expect(await ask(server, { tools: [tool], signal: stop.signal })).toMatchObject({ text: 'Let me look.', state: 'stopped' })
  expect(server.requests).toHaveLength(1)
})

const textCall = '[TOOL_REQUEST]{"name":"find","arguments":{"name":"Ada"}}[END_TOOL_REQUEST]'
const endlessCalls: { what: string; parts: Part[] }[] = [
  { what: '', parts: [{ calls: [callAda] }] },
  { what: ' with the finish reason "stop"', parts: [{ calls: [callAda] }, { finish: 'stop' }] },
  { what: ' in its text', parts: [{ text: `Let me look. ${textCall}` }] },
]

for (const { what, parts } of endlessCalls)
  test(`A model that never stops calling tools${what} is asked as often as the limit allows.`, async () => {
    await using server = await startAiServer({ respond: () => parts })
    const find = createFindTool()
    const answer = await ask(server, { tools: [find.tool], limits: { maxSteps: 3 } })
    expect(answer).toMatchObject({ state: 'too_many_steps', problem: 'The model asked for too many steps without an answer.' })
    expect(find.inputs).toHaveLength(3)
    expect(server.requests).toHaveLength(3)
  })

test('The tools of one answer run one after the other.', async () => {
  await using server = await startAiServer({ respond: thenText([{ calls: [callAda, callGrace], style: 'mixed' }]) })
  let running = 0
  let maxRunning = 0
  const { tool } = createFindTool(async () => {
    maxRunning = Math.max(maxRunning, ++running)
    await new Promise((resolve) => setImmediate(resolve))
    running--
  })
  await ask(server, { tools: [tool] })
  expect(maxRunning).toBe(1)
})

test('An answer that ends without text after a tool has run counts as interrupted, not as failed.', async () => {
  await using server = await startAiServer({ respond: ({ toolResults }) => (toolResults.length > 0 ? [] : [{ calls: [callAda] }]) })
  const { tool } = createFindTool()
  expect(await ask(server, { tools: [tool] })).toMatchObject({
    text: '',
    state: 'interrupted',
    problem: 'The AI service gave an empty answer.',
  })
})

test('A long result is cut, and the model gets a note about it.', async () => {
  await using server = await startAiServer({ respond: thenText([{ calls: [callAda] }]) })
  const { tool } = createFindTool(async () => 'x'.repeat(20_000))
  await ask(server, { tools: [tool] })
  const [result = ''] = server.requests[1]?.toolResults ?? []
  expect(result.length).toBeLessThan(8200)
  expect(result).toMatch(/^"x+\n\[The result has 20002 characters and was cut here. Ask for less.\]$/)
})

test('The schemas of tools are sent without the rules that some servers refuse; the input is checked with these rules.', async () => {
  const inputSchema = z.object({
    email: z.email(),
    count: z.int().check(z.gte(1)),
    pattern: z.string().check(z.regex(/^a+$/)),
    day: z.optional(z.iso.date()),
    kind: z.enum(['deal', 'task']),
  })
  const inputs: unknown[] = []
  const tool: Tool = { name: 'create', description: 'Creates.', inputSchema, run: async (input) => inputs.push(input) }
  const calls = [{ name: 'create', input: { email: 'ada@example.com', count: 1, pattern: 'b', kind: 'deal' } }]
  await using server = await startAiServer({ respond: thenText([{ calls }]) })
  await ask(server, { tools: [tool] })
  expect(inputs).toEqual([])
  const [sentTool] = server.requests[0]?.body.tools ?? []
  expect(sentTool?.function.parameters).toEqual({
    type: 'object',
    properties: {
      email: { type: 'string', format: 'email' },
      count: { type: 'integer', minimum: 1 },
      pattern: { type: 'string' },
      day: { type: 'string', format: 'date' },
      kind: { type: 'string', enum: ['deal', 'task'] },
    },
    required: ['email', 'count', 'pattern', 'kind'],
  })
})

test('A model that cannot use tools gets no tools.', async () => {
  await using server = await startAiServer({ respond: () => 'Hello.' })
  const { capabilities } = server.connection
  server.connection.capabilities = { ...capabilities, tools: false }
  await ask(server, { tools: [createFindTool().tool] })
  expect(server.requests[0]?.tools).toEqual([])
})

test('A call of a tool that the model writes as text is run, and its text is not shown.', async () => {
  const text = ['Let me look. [TOOL_REQ', 'UEST]{"name":"find","argu', 'ments":{"name":"Ada"}}[END_TOOL_', 'REQUEST]']
  await using server = await startAiServer({ respond: thenText([{ text }]) })
  const find = createFindTool()
  expect(await ask(server, { tools: [find.tool] })).toMatchObject({ text: 'Let me look. \n\nIt is Ada.', state: 'done' })
  expect(find.inputs).toEqual([{ name: 'Ada' }])
})
