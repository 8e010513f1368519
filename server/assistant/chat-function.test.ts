// The HTTP stream of the function `ai-chat`, read as its clients read it.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestAppWithAi } from '#server/testing/ai-app.ts'
import type { AiServer } from '#server/testing/ai-server.ts'
import type { TestApp } from '#server/testing/app.ts'
import { createPieces } from '#server/testing/assistant.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf } from '#server/testing/records.ts'
import { readOwnedRows } from '#server/testing/rows.ts'

let app: TestApp
let ai: AiServer
let ada: Person
let address: string
beforeAll(async () => {
  ;({ app, ai } = await openTestAppWithAi())
  address = await app.server.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  ai.setRespond(() => 'Two deals are quiet.')
})

const ask = (content: string, signal?: AbortSignal): Promise<Response> =>
  fetch(`${address}/functions/v1/ai-chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${ada.token}` },
    body: JSON.stringify({ messages: [{ role: 'user', content }], timezone: 'Europe/Warsaw' }),
    ...(signal && { signal }),
  })

type Chunk = { choices?: { delta?: { content?: string } }[] }

/**
 * Reads the stream as the specification describes it: lines that start with "data: " are JSON whose first choice has the content, `[DONE]` ends,
 * comments and blank lines are ignored, and malformed chunks are skipped.
 */
async function readChat(response: Response): Promise<{ text: string; isDone: boolean }> {
  let [buffer, text] = ['', '']
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    buffer += piece
    for (let end = buffer.indexOf('\n'); end >= 0; end = buffer.indexOf('\n')) {
      const line = buffer.slice(0, end).replace(/\r$/, '')
      buffer = buffer.slice(end + 1)
      if (line.startsWith(':') || line.trim() === '' || !line.startsWith('data: ')) continue
      const data = line.slice('data: '.length).trim()
      if (data === '[DONE]') return { text, isDone: true }
      text += readContent(data)
    }
  }
  return { text, isDone: false }
}

function readContent(data: string): string {
  try {
    const chunk: Chunk = JSON.parse(data)
    return chunk.choices?.[0]?.delta?.content ?? ''
  } catch {
    return ''
  }
}

test('the stream has the text in chunks, then [DONE], and nothing else but comments', async () => {
  const response = await ask('Which deals are quiet?')
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  const stream = await response.text()
  const lines = stream.split('\n').filter((line) => line !== '' && !line.startsWith(':'))
  expect(lines[0]).toMatch(/^data: \{"choices":\[\{"index":0,"delta":\{"content":"Two/)
  expect(lines.at(-1)).toBe('data: [DONE]')
  expect(lines.every((line) => line.startsWith('data: '))).toBe(true)
  expect(await readChat(new Response(stream))).toEqual({ text: 'Two deals are quiet.', isDone: true })
  expect(ai.requests.at(-1)?.instructions).toContain('(Europe/Warsaw)')
})

test('a file in the answer reaches the client as a block, which it replaces by a sentence and a download', async () => {
  ai.setRespond(() => [{ text: ['Here: base64-', 'file:Offer.txt|text/plain|x|SGVs', 'bG8=', '\nDone.'] }])
  const { text } = await readChat(await ask('Write the offer'))
  const [block = '', filename, mimeType, , base64 = ''] = /base64-file:([^|]+)\|([^|]+)\|([^|]+)\|([A-Za-z0-9+/=]+)/.exec(text) ?? []
  expect([filename, mimeType, Buffer.from(base64, 'base64').toString()]).toEqual(['Offer.txt', 'text/plain', 'Hello'])
  expect(text.replace(block, `File "${filename}" is ready for download.`)).toBe('Here: File "Offer.txt" is ready for download.\nDone.')
})

test('a file that the model makes with the tool reaches the client as a block too', async () => {
  ai.setRespond(({ toolResults }) =>
    toolResults.length > 0
      ? 'Done.'
      : [{ calls: [{ name: 'make_file', input: { file_name: 'a.csv', mime_type: 'text/csv', text: 'name\nAda' } }] }],
  )
  const { text, isDone } = await readChat(await ask('Make a table'))
  expect(text).toContain(`base64-file:a.csv|text/csv|file|${Buffer.from('name\nAda').toString('base64')}`)
  expect([text.endsWith('Done.'), isDone]).toEqual([true, true])
})

test('the model can read the workspace and has no tool that changes it; the function stores nothing but the use of the AI', async () => {
  await recordsOf(ada, '/api/deals').add({ title: 'Library shelves', stage: 'lead' })
  const before = await readOwnedRows(app, ada.id)
  ai.setRespond(({ toolResults }) =>
    toolResults.length > 0 ? `Found: ${toolResults.join()}` : [{ calls: [{ name: 'find', input: { kind: 'deal' } }] }],
  )
  expect((await readChat(await ask('Which deals are there?'))).text).toContain('Library shelves')
  expect(ai.requests.at(-1)?.tools.filter((name) => name.startsWith('propose'))).toEqual([])
  const { ai_usage: _, ...after } = await readOwnedRows(app, ada.id)
  expect({ ...after, ai_usage: [] }).toEqual(before)
})

test.each([
  ['the service refuses the key', { status: 401, body: 'no' }],
  ['the answer is empty', '  '],
])('when %s, the response is an ordinary problem document', async (_name, reply) => {
  ai.setRespond(() => reply)
  const response = await ask('Hello')
  expect([response.status, response.headers.get('content-type')]).toEqual([502, 'application/problem+json; charset=utf-8'])
  expect(await response.json()).toMatchObject({ code: 'ai_failed', detail: expect.stringMatching(/^[A-Z].*\.$/) })
})

test('an answer that breaks off ends with an error and without [DONE]', async () => {
  ai.setRespond(() => [{ text: 'Two deals' }, { wait: 100 }, { fault: 'cut' }])
  const stream = await (await ask('Which deals?')).text()
  expect(await readChat(new Response(stream))).toEqual({ text: 'Two deals', isDone: false })
  expect(stream).toMatch(/event: error\ndata: \{.*"code":"ai_failed"/)
})

test('a client that disconnects stops the model, and at most four answers of an owner are written at once', async () => {
  const { parts } = createPieces()
  ai.setRespond(() => parts)
  const clients = Array.from({ length: 4 }, () => new AbortController())
  const responses = await Promise.all(clients.map(({ signal }) => ask('Write', signal)))
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const refused = await ask('Write')
  expect(refused.status).toBe(429)
  expect(await refused.json()).toMatchObject({ code: 'too_many_requests' })
  for (const client of clients) client.abort()
  const readTokens = async (): Promise<number> => (await ada.send({ url: '/api/ai/usage' })).json().tokens_today
  await expect.poll(() => ai.requests.slice(-4).map(({ state }) => state)).toEqual(Array.from({ length: 4 }, () => 'closed by the client'))
  await expect.poll(readTokens).toBeGreaterThan(1000) // estimated, because the endpoint has reported none
  ai.setRespond(() => 'Fine.')
  await expect.poll(async () => (await readChat(await ask('Again'))).isDone).toBe(true)
})

test('messages that do not end with the user are refused with a sentence', async () => {
  const response = await ada.send({
    method: 'POST',
    url: '/functions/v1/ai-chat',
    payload: { messages: [{ role: 'assistant', content: 'Hello' }], timezone: 'UTC' },
  })
  expect([response.statusCode, response.json().fields.messages]).toEqual([422, 'The last message must be from the user'])
})
