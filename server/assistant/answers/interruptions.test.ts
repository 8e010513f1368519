// Answers that break off, are cut, or lose their conversation, their owner or their connection: they keep what has arrived and say why.
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { newId } from '#server/platform/database/uuid.ts'
import { openTestAppWithAi } from '#server/testing/ai-app.ts'
import type { AiServer } from '#server/testing/ai-server.ts'
import type { TestApp } from '#server/testing/app.ts'
import { createPieces, joinText, talkAs } from '#server/testing/assistant.ts'
import { signInAs, type Person } from '#server/testing/people.ts'

let app: TestApp
let ai: AiServer
let ada: Person
let talk: ReturnType<typeof talkAs>
let conversation: string
beforeAll(async () => {
  ;({ app, ai } = await openTestAppWithAi())
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  talk = talkAs(ada)
  conversation = await talk.begin()
  ai.setRespond(() => 'Two deals are quiet.')
})

test.each([
  ['breaks off', [{ text: 'Two deals' }, { wait: 100 }, { fault: 'cut' as const }], 'interrupted', 'Two deals'],
  ['reaches the limit of the model', [{ text: 'Two deals' }, { finish: 'length' as const }], 'cut', 'Two deals'],
  ['is refused', { status: 401, body: 'no' }, 'failed', ''],
  ['is empty', '   ', 'failed', ''],
])('an answer that %s keeps its text, says why, and can be tried again', async (_name, reply, state, content) => {
  ai.setRespond(() => reply)
  const { answer } = await talk.send(conversation, 'Which deals?')
  const ended = await talk.waitForEnd(answer.id)
  expect([ended.state, ended.content.trim()]).toEqual([state, content])
  expect(ended.problem).toMatch(/^[A-Z].*[.]/)
  if (reply === '   ') expect(ended.problem).toBe('Received empty response from AI. Please try again.')
  ai.setRespond(() => 'Fine.')
  const answerId = newId()
  await talk.post(`/api/messages/${answer.id}/retry`, { answer_id: answerId })
  expect(await talk.waitForEnd(answerId)).toMatchObject({ state: 'done', content: 'Fine.' })
})

test('an answer without text that proposes changes or makes a file is complete', async () => {
  const calls = [
    { name: 'propose_create', input: { kind: 'task', records: [{ title: 'Call Ada' }] } },
    { name: 'make_file', input: { file_name: 'a.txt', mime_type: 'text/plain', text: 'Hello' } },
  ]
  for (const call of calls) {
    ai.setRespond(({ toolResults }) => (toolResults.length > 0 ? '' : [{ calls: [call] }]))
    const { answer } = await talk.send(conversation, 'Do it')
    const { state, problem, proposal_id, files } = await talk.waitForEnd(answer.id)
    expect([state, problem, proposal_id !== null || files.length > 0]).toEqual(['done', '', true])
  }
})

test('text with NUL and unpaired surrogates is stored, and a very long answer is cut at 400,000 characters', async () => {
  ai.setRespond(() => [{ text: ['a\0b', 'c\uD83D', '\uDE00', '\uDE00'] }])
  const { answer } = await talk.send(conversation, 'Strange')
  expect((await talk.waitForEnd(answer.id)).content).toBe('abc😀\u{FFFD}')
  ai.setRespond(() => [{ text: Array.from({ length: 5000 }, () => 'x'.repeat(100)) }])
  const long = await talk.send(conversation, 'Long')
  const ended = await talk.waitForEnd(long.answer.id)
  expect([ended.state, ended.content.length, ended.problem]).toEqual([
    'cut',
    400_000,
    'The answer was longer than 400,000 characters and was cut.',
  ])
  expect(joinText(await talk.follow(long.answer.id)).length).toBe(400_000)
})

test.each([[1e15], [-5], [0.5]])(
  'an impossible number of input tokens (%d) from the endpoint is not stored, and the answer is complete',
  async (prompt_tokens) => {
    const last = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens, completion_tokens: 7 } }
    ai.setRespond(() => [{ text: 'Hello.' }, { raw: `data: ${JSON.stringify(last)}\n\ndata: [DONE]\n\n` }, { fault: 'end' }])
    const { answer } = await talk.send(conversation, 'Hello')
    expect(await talk.waitForEnd(answer.id)).toMatchObject({ state: 'done', input_tokens: null, output_tokens: 7 })
  },
)

test('an answer whose process was killed is shown as interrupted after ten seconds, can be tried again, and is marked by a schedule', async () => {
  const { answer } = await talk.send(conversation, 'Hello')
  await talk.waitForEnd(answer.id)
  const markAsStreaming = (heartbeatAgeSeconds: number) =>
    app.tableOwner.query(`update messages set state = 'streaming', heartbeat_at = now() - make_interval(secs => $2) where id = $1`, [
      answer.id,
      heartbeatAgeSeconds,
    ])
  await markAsStreaming(5)
  expect((await talk.read(answer.id)).state).toBe('streaming')
  await markAsStreaming(11)
  const shown = await talk.read(answer.id)
  expect([shown.state, shown.content, shown.problem]).toEqual([
    'interrupted',
    'Two deals are quiet.',
    'The answer broke off, because the server stopped. What has arrived is kept.',
  ])
  expect((await talk.follow(answer.id)).at(-1)).toMatchObject({ type: 'end', message: { state: 'interrupted' } })
  await app.runSchedule('interrupted answers')
  const { rows } = await app.tableOwner.query('select state from messages where id = $1', [answer.id])
  expect(rows).toEqual([{ state: 'interrupted' }])
  await markAsStreaming(11)
  const answerId = newId()
  expect((await talk.post(`/api/messages/${answer.id}/retry`, { answer_id: answerId })).statusCode).toBe(201)
  expect((await talk.waitForEnd(answerId)).state).toBe('done')
})

test('the interrupted answers of other owners are marked while an account is being deleted', { timeout: 10_000 }, async () => {
  const grace = await signInAs(app, 'grace')
  const answerIds = await Promise.all(
    [ada, grace].map(async (person) => {
      const { begin, send, waitForEnd } = talkAs(person)
      const { answer } = await send(await begin(), 'Hello')
      await waitForEnd(answer.id)
      return answer.id
    }),
  )
  await app.tableOwner.query(`update messages set state = 'streaming', heartbeat_at = now() - interval '1 hour' where id = any($1)`, [
    answerIds,
  ])
  const deletion = await app.tableOwner.connect()
  onTestFinished(() => deletion.release(true)) // closes the connection, which rolls the deletion back
  await deletion.query('begin')
  await deletion.query(`select set_config('app.owner', $1, true)`, [ada.id])
  await deletion.query('select app.delete_account()')
  await app.runSchedule('interrupted answers')
  const { rows } = await app.tableOwner.query('select state from messages where id = any($1) order by user_id = $2', [answerIds, grace.id])
  expect(rows).toEqual([{ state: 'streaming' }, { state: 'interrupted' }])
})

test('deleting a conversation while an answer is written stops the answer, and undo restores both', async () => {
  const { parts, sendPieces } = createPieces()
  ai.setRespond(() => parts)
  const { answer } = await talk.send(conversation, 'Write')
  sendPieces(1)
  await talk.waitFor(answer.id, ({ content }) => content !== '')
  const deletion = await ada.send({ method: 'DELETE', url: `/api/conversations/${conversation}` })
  await expect.poll(() => ai.requests.at(-1)?.state).toBe('closed by the client')
  expect((await ada.send({ url: `/api/conversations/${conversation}/messages` })).statusCode).toBe(404)
  await ada.send({ method: 'POST', url: `/api/changes/${String(deletion.headers['foyer-change'])}/undo` })
  await talk.waitForEnd(answer.id)
  expect((await talk.list(conversation)).map(({ content, state }) => [content, state])).toEqual([
    ['Write', 'done'],
    ['piece 0 piece 1 ', 'stopped'],
  ])
})

test('an answer goes on if the database connection ends while a part of its text is stored', async () => {
  const { parts, sendPieces } = createPieces()
  ai.setRespond(() => parts)
  const { answer } = await talk.send(conversation, 'Write')
  const superuser = new pg.Client({ ...app.connections.tableOwner, user: 'postgres' })
  await superuser.connect()
  await superuser.query('begin')
  await superuser.query('select from messages where id = $1 for update', [answer.id])
  sendPieces(1)
  const endWaiting = `select pg_terminate_backend(pid) from pg_stat_activity
    where usename = 'foyer_app' and datname = current_database() and wait_event_type = 'Lock'`
  await expect.poll(async () => (await superuser.query(endWaiting)).rowCount).toBe(1)
  await superuser.query('rollback')
  await superuser.end()
  sendPieces(9)
  expect(await talk.waitForEnd(answer.id)).toMatchObject({ state: 'done', content: expect.stringContaining('piece 9') })
})

test('deleting an account while an answer is written stops the answer', async () => {
  const { parts, sendPieces } = createPieces()
  ai.setRespond(() => parts)
  const { answer } = await talk.send(conversation, 'Write')
  sendPieces(1)
  await talk.waitFor(answer.id, ({ content }) => content !== '')
  await app.tableOwner.query('delete from users where id = $1', [ada.id])
  await expect.poll(() => ai.requests.at(-1)?.state).toBe('closed by the client')
  expect((await app.tableOwner.query('select from messages where id = $1', [answer.id])).rowCount).toBe(0)
})

test('messages, answers and conversations of another owner are not found, and new messages may have the same ids', async () => {
  const { message, answer } = await talk.send(conversation, 'Mine')
  await talk.waitForEnd(answer.id)
  const grace = await signInAs(app, 'grace')
  const conversationOfGrace = await talkAs(grace).begin()
  for (const url of [`/api/messages/${answer.id}`, `/api/messages/${answer.id}/events`, `/api/conversations/${conversation}/messages`])
    expect((await grace.send({ url })).statusCode, url).toBe(404)
  const withIdsOfAda = await talkAs(grace).postMessage(conversationOfGrace, 'Hers', { id: message.id, answer_id: answer.id })
  expect(withIdsOfAda.statusCode).toBe(201)
  await talkAs(grace).waitForEnd(answer.id)
  expect((await talk.read(answer.id)).content).toBe('Two deals are quiet.')
  const reference = { kind: 'conversation', id: conversation }
  const attached = await talkAs(grace).postMessage(conversationOfGrace, 'Look', { references: [reference] })
  expect([attached.statusCode, attached.json().fields]).toEqual([404, { 'references.0': 'This conversation is no longer here' }])
})

test('without an AI connection a message is refused with a sentence that says how to connect one, and nothing is stored', async () => {
  const { settings } = app.context
  const connection = settings.ai.connection
  settings.ai.connection = undefined
  try {
    const response = await talk.postMessage(conversation, 'Hello')
    expect(response.json()).toMatchObject({ code: 'ai_off', detail: expect.stringContaining('Connect one on the account page') })
    expect(await talk.list(conversation)).toEqual([])
  } finally {
    settings.ai.connection = connection
  }
})
