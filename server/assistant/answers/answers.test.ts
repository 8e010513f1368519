// Answers run apart from the requests that read them: they are stored while they come, stop when the user wants it, and keep what has arrived.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
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

test('a message is answered, and both are stored with the tokens and the cost', async () => {
  const sent = Promise.withResolvers<void>()
  ai.setRespond(() => [{ wait: sent.promise }, { text: 'Two deals are quiet.' }])
  const { message, answer } = await talk.send(conversation, ' Which deals are quiet? ')
  sent.resolve()
  expect([message.role, message.content, message.state, answer.role, answer.state]).toEqual([
    'user',
    'Which deals are quiet?',
    'done',
    'assistant',
    'streaming',
  ])
  const ended = await talk.waitForEnd(answer.id)
  expect(ended).toMatchObject({ content: 'Two deals are quiet.', state: 'done', problem: '', input_tokens: 120, output_tokens: 7 })
  expect(ended.cost).toBeCloseTo((120 * 1 + 7 * 2) / 1_000_000)
  expect((await talk.list(conversation)).map(({ id }) => id)).toEqual([message.id, answer.id])
  expect((await ada.send({ url: '/api/conversations' })).json().rows).toMatchObject([{ id: conversation, is_answering: false }])
})

test('a reader gets the text while it is written, and can begin at any offset; a second reader gets the same', async () => {
  const { parts, sendPieces } = createPieces()
  ai.setRespond(() => parts)
  const { answer } = await talk.send(conversation, 'Tell me more')
  const first = talk.follow(answer.id)
  sendPieces(5) // these are the pieces 1 to 5, because the model writes the piece 0 at once
  await talk.waitFor(answer.id, ({ content }) => content.includes('piece 4'))
  const { content: stored } = await talk.read(answer.id)
  const second = talk.follow(answer.id, `?from=${stored.length}`)
  const third = talk.follow(answer.id)
  sendPieces(5)
  const whole = Array.from({ length: 10 }, (_, index) => `piece ${index} `).join('')
  expect(joinText(await first)).toBe(whole)
  expect(stored + joinText(await second, stored.length)).toBe(whole)
  const events = await third
  expect(joinText(events)).toBe(whole)
  expect(events.at(-1)).toMatchObject({ type: 'end', message: { id: answer.id, state: 'done', content: whole } })
  expect(joinText(await talk.follow(answer.id, '?from=8'), 8)).toBe(whole.slice(8)) // an answer that ended before
})

test('a reader with an offset behind the end of the text gets only the event of the end', async () => {
  const { answer } = await talk.send(conversation, 'Hello')
  await talk.waitForEnd(answer.id)
  const events = await talk.follow(answer.id, '?from=900')
  expect([joinText(events, 900), events.at(-1)?.type]).toEqual(['', 'end'])
})

test('a repeated request adds nothing and starts no second answer', async () => {
  const ids = { id: newId(), answer_id: newId() }
  const [first, second] = await Promise.all([1, 2].map(() => talk.postMessage(conversation, 'Only once', ids)))
  const third = await talk.postMessage(conversation, 'Only once', ids)
  expect([first?.statusCode, second?.statusCode, third.statusCode]).toEqual([201, 201, 201])
  await talk.waitForEnd(ids.answer_id)
  expect(await talk.list(conversation)).toHaveLength(2)
  expect(ai.requests.filter(({ text }) => text === 'Only once')).toHaveLength(1)
  const other = await talk.postMessage(conversation, 'Another', { id: ids.id })
  expect([other.statusCode, other.json().fields]).toEqual([422, { id: 'This id is taken' }])
})

test('a message is refused with a sentence while an answer is written, and one of three simultaneous messages is accepted', async () => {
  const { parts, sendPieces } = createPieces()
  ai.setRespond(() => parts)
  const responses = await Promise.all(['One', 'Two', 'Three'].map((content) => talk.postMessage(conversation, content)))
  expect(responses.map(({ statusCode }) => String(statusCode)).toSorted()).toEqual(['201', '409', '409'])
  const refused = responses.find(({ statusCode }) => statusCode === 409)
  expect(refused?.json()).toMatchObject({
    code: 'answer_running',
    detail: 'The assistant is still writing in this conversation. Wait until it has finished, or stop it.',
  })
  const [message, answer] = await talk.list(conversation)
  expect((await talk.post(`/api/messages/${message?.id}/edit`, { id: newId(), answer_id: newId(), content: 'Other' })).json().code).toBe(
    'answer_running',
  )
  expect((await talk.post(`/api/messages/${answer?.id}/retry`, { answer_id: newId() })).json().code).toBe('answer_running')
  sendPieces(10)
  await talk.waitForEnd(String(answer?.id))
  expect((await talk.postMessage(conversation, 'Next')).statusCode).toBe(201)
})

test('an owner has at most four answers at once, and other owners are not affected', async () => {
  const { parts, sendPieces } = createPieces()
  ai.setRespond(() => parts)
  const conversations = await Promise.all(Array.from({ length: 5 }, () => talk.begin()))
  const answers: string[] = []
  for (const each of conversations.slice(0, 4)) answers.push((await talk.send(each, 'Go')).answer.id)
  expect((await talk.postMessage(String(conversations[4]), 'Go')).json()).toMatchObject({
    code: 'answer_running',
    detail: expect.stringContaining('4 answers'),
  })
  const grace = talkAs(await signInAs(app, 'grace'))
  const other = await grace.send(await grace.begin(), 'Go')
  sendPieces(10)
  for (const id of answers) await talk.waitForEnd(id)
  expect((await grace.waitForEnd(other.answer.id)).state).toBe('done')
})

test('an owner who sends eight messages at once gets four answers', async () => {
  const { parts, sendPieces } = createPieces()
  ai.setRespond(() => parts)
  const conversations = await Promise.all(Array.from({ length: 8 }, () => talk.begin()))
  const responses = await Promise.all(conversations.map((each) => talk.postMessage(each, 'Go')))
  expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 201, 201, 201, 409, 409, 409, 409])
  sendPieces(10)
  for (const response of responses) if (response.statusCode === 201) await talk.waitForEnd(response.json().answer.id)
})

test('ids that belong to messages of another conversation are refused, also in simultaneous requests', async () => {
  const other = await talk.begin()
  const ids = { id: newId(), answer_id: newId() }
  const responses = await Promise.all([conversation, other].map((each) => talk.postMessage(each, 'Go', ids)))
  expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 422])
  expect((await talk.postMessage(newId(), 'Go', ids)).statusCode).toBe(404)
  const id = newId()
  expect((await talk.postMessage(conversation, 'Go', { id, answer_id: id })).json()).toMatchObject({
    code: 'invalid',
    fields: { answer_id: 'Send two different ids' },
  })
  await talk.waitForEnd(ids.answer_id)
})

test('a client that disconnects at the third piece does not stop the answer', async () => {
  const { parts, sendPieces } = createPieces()
  ai.setRespond(() => parts)
  const { answer } = await talk.send(conversation, 'Go on')
  const address = await listen()
  const client = new AbortController()
  const response = await fetch(`${address}/api/messages/${answer.id}/events`, {
    headers: { authorization: `Bearer ${ada.token}` },
    signal: client.signal,
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  sendPieces(2)
  for (let text = ''; !text.includes('piece 2');) text += (await reader?.read())?.value ?? ''
  client.abort()
  sendPieces(8)
  expect((await talk.waitForEnd(answer.id)).content).toContain('piece 9')
})

test('a stopped answer keeps its text, and the model is stopped too', async () => {
  const { parts, sendPieces } = createPieces()
  ai.setRespond(() => parts)
  const { answer } = await talk.send(conversation, 'Write a book')
  sendPieces(2) // the pieces 1 and 2; the model writes the piece 0 at once
  const following = talk.follow(answer.id)
  await talk.waitFor(answer.id, ({ content }) => content.includes('piece 2'))
  expect((await talk.stop(answer.id)).statusCode).toBe(204)
  const ended = await talk.waitForEnd(answer.id)
  expect([ended.state, ended.content, ended.problem]).toEqual(['stopped', 'piece 0 piece 1 piece 2 ', ''])
  expect((await following).at(-1)).toMatchObject({ type: 'end', message: { state: 'stopped' } })
  await expect.poll(() => ai.requests.at(-1)?.state).toBe('closed by the client')
  expect((await talk.stop(answer.id)).statusCode).toBe(204)
})

test('retry replaces the answer, and edit replaces the message and everything after it', async () => {
  const first = await talk.send(conversation, 'Who is new?')
  await talk.waitForEnd(first.answer.id)
  const second = await talk.send(conversation, 'And old?')
  await talk.waitForEnd(second.answer.id)

  ai.setRespond(() => 'A better answer.')
  const answerId = newId()
  const retry = (): ReturnType<typeof talk.post> => talk.post(`/api/messages/${second.answer.id}/retry`, { answer_id: answerId })
  expect((await retry()).json()).toMatchObject({ id: answerId, state: 'streaming', conversation_id: conversation })
  expect((await talk.waitForEnd(answerId)).content).toBe('A better answer.')
  expect((await retry()).json()).toMatchObject({ id: answerId, state: 'done' }) // a repeated request
  expect((await talk.list(conversation)).map(({ content }) => content)).toEqual([
    'Who is new?',
    'Two deals are quiet.',
    'And old?',
    'A better answer.',
  ])

  const edit = { id: newId(), answer_id: newId(), content: 'Who is new today?' }
  const edits = await Promise.all([edit, edit].map((each) => talk.post(`/api/messages/${first.message.id}/edit`, each)))
  expect(edits.map(({ statusCode }) => statusCode)).toEqual([201, 201])
  await talk.waitForEnd(edit.answer_id)
  expect((await talk.list(conversation)).map(({ content }) => content)).toEqual(['Who is new today?', 'A better answer.'])
  expect((await talk.post(`/api/messages/${first.message.id}/edit`, { ...edit, id: newId(), answer_id: newId() })).statusCode).toBe(404)
  expect((await talk.post(`/api/messages/${edit.id}/retry`, { answer_id: newId() })).statusCode).toBe(404) // not an answer
})

async function listen(): Promise<string> {
  const { server } = app
  if (!server.server.listening) await server.listen({ port: 0, host: '127.0.0.1' })
  return server.listeningOrigin
}
