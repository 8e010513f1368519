// Answers over several processes and many readers. Other processes follow and stop an answer by its row. A reader that stops reading delays
// nothing. Other tabs get an event when an answer begins and when it ends, but not for each piece.
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestAppWithAi } from '#server/testing/ai-app.ts'
import type { AiServer } from '#server/testing/ai-server.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { createPieces, joinText, parseEvents, talkAs } from '#server/testing/assistant.ts'
import { signInAs, type Person } from '#server/testing/people.ts'

let app: TestApp
let ai: AiServer
let otherApp: TestApp
let ada: Person
let talk: ReturnType<typeof talkAs>
beforeAll(async () => {
  ;({ app, ai } = await openTestAppWithAi())
  const { connection } = app.context.settings.ai
  otherApp = await openTestApp({ connections: app.connections, ai: { connection, maxTokensPerDay: undefined } })
})
afterAll(async () => {
  await otherApp.stop()
  await app.stop()
})
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  talk = talkAs(ada)
})

/** Talks to the other process as the same person. */
const talkToOtherProcess = (): ReturnType<typeof talkAs> =>
  talkAs({
    send: (options) => otherApp.server.inject({ ...options, headers: { authorization: `Bearer ${ada.token}`, ...options.headers } }),
  })

const wholeText = Array.from({ length: 10 }, (_, index) => `piece ${index} `).join('')

test('another process follows an answer, whose text is stored while it is written, and refuses a second one', async () => {
  const { parts, sendPieces } = createPieces()
  ai.setRespond(() => parts)
  const conversation = await talk.begin()
  const { answer } = await talk.send(conversation, 'Go on')
  const following = talkToOtherProcess().follow(answer.id)
  sendPieces(4) // after piece 0, which the model writes at once: pieces 1 to 4
  await talkToOtherProcess().waitFor(answer.id, ({ content }) => content.includes('piece 4'))
  expect((await talkToOtherProcess().postMessage(conversation, 'Second')).json().code).toBe('answer_running')
  sendPieces(6)
  const events = await following
  expect(joinText(events)).toBe(wholeText)
  expect(events.at(-1)).toMatchObject({ type: 'end', message: { state: 'done', content: wholeText } })
})

test('another process stops an answer', async () => {
  const { parts, sendPieces } = createPieces()
  ai.setRespond(() => parts)
  const { answer } = await talk.send(await talk.begin(), 'Go on')
  sendPieces(2)
  await talk.waitFor(answer.id, ({ content }) => content.includes('piece 2'))
  expect((await talkToOtherProcess().stop(answer.id)).statusCode).toBe(204)
  expect(await talkToOtherProcess().waitForEnd(answer.id)).toMatchObject({ state: 'stopped', content: 'piece 0 piece 1 piece 2 ' })
  await expect.poll(() => ai.requests.at(-1)?.state).toBe('closed by the client')
})

test('a process that stops stores the text so far, and the answer is interrupted', async () => {
  const { parts, sendPieces } = createPieces()
  ai.setRespond(() => parts)
  const { connection } = app.context.settings.ai
  const stopping = await openTestApp({ connections: app.connections, ai: { connection, maxTokensPerDay: undefined } })
  const stoppingTalk = talkAs({
    send: (options) => stopping.server.inject({ ...options, headers: { authorization: `Bearer ${ada.token}`, ...options.headers } }),
  })
  const { answer } = await stoppingTalk.send(await stoppingTalk.begin(), 'Go on')
  const following = talk.follow(answer.id)
  sendPieces(3)
  await talk.waitFor(answer.id, ({ content }) => content.includes('piece 3'))
  await stopping.stop()
  const { state, content, problem } = await talk.read(answer.id)
  expect([state, content]).toEqual(['interrupted', 'piece 0 piece 1 piece 2 piece 3 '])
  expect(problem).toContain('the server stopped')
  expect((await following).at(-1)).toMatchObject({ type: 'end', message: { state: 'interrupted' } })
})

test('one of fifty readers that stops reading delays neither the answer nor the others', { timeout: 300_000 }, async () => {
  const pieceCount = 1500
  const begun = Promise.withResolvers<void>()
  ai.setRespond(() => [{ wait: begun.promise }, { text: Array.from({ length: pieceCount }, () => 'x'.repeat(250)) }])
  const { answer } = await talk.send(await talk.begin(), 'Write a book')
  const address = await app.server.listen({ port: 0, host: '127.0.0.1' })
  const headers = { authorization: `Bearer ${ada.token}` }
  const openStream = async (): Promise<IncomingMessage> => {
    const [response] = await once(request(`${address}/api/messages/${answer.id}/events`, { headers, agent: false }).end(), 'response')
    expect(response.statusCode).toBe(200)
    return response
  }
  const pausedStream = (await openStream()).pause()
  const otherStreams = await Promise.all(Array.from({ length: 49 }, openStream))
  begun.resolve()
  const texts = (await Promise.all(otherStreams.map(readText))).map((stream) => joinText(parseEvents(stream)).length)
  expect(new Set(texts)).toEqual(new Set([pieceCount * 250]))
  expect((await talk.read(answer.id)).state).toBe('done')
  expect(await readText(pausedStream)).toContain('"type":"end"') // continues where it was paused, up to the end
})

test('other tabs get an event at the beginning and the end of an answer, and not for each stored piece', async () => {
  const { parts, sendPieces } = createPieces()
  ai.setRespond(() => parts)
  /** Counts the announced writes of messages. Each becomes an event for the tabs of the user. */
  const countWrites = async (): Promise<number> => {
    const { rowCount } = await app.tableOwner.query(`select from unjournaled_writes where user_id = $1 and table_name = 'messages'`, [
      ada.id,
    ])
    return rowCount ?? 0
  }
  const { answer } = await talk.send(await talk.begin(), 'Go on')
  const atBegin = await countWrites()
  for (let piece = 1; piece <= 3; piece++) {
    sendPieces()
    await talkToOtherProcess().waitFor(answer.id, ({ content }) => content.includes(`piece ${piece}`))
  }
  expect([atBegin > 0, await countWrites()]).toEqual([true, atBegin])
  sendPieces(7)
  await talk.waitForEnd(answer.id)
  expect(await countWrites()).toBe(atBegin + 1)
})

test('an answer goes on with the key with which it began; the next message needs a connection again', async () => {
  const { parts, sendPieces } = createPieces()
  ai.setRespond(() => parts)
  const conversation = await talk.begin()
  const { answer } = await talk.send(conversation, 'Go on')
  const { ai: settings } = app.context.settings
  const { connection } = settings
  settings.connection = undefined
  try {
    sendPieces(10)
    expect(await talk.waitForEnd(answer.id)).toMatchObject({ state: 'done', content: wholeText })
    expect((await talk.postMessage(conversation, 'More')).json().code).toBe('ai_off')
  } finally {
    settings.connection = connection
  }
})
