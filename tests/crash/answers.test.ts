// The server, the database or both are killed with SIGKILL while the assistant writes answers. Every answer is then complete, or it is
// shown as interrupted with its text so far, and it can be tried again.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import * as z from 'zod/mini'
import { Message } from '#contract/assistant.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { startAiServer, type AiServer } from '#server/testing/ai-server.ts'
import { createRandom } from '#server/testing/random.ts'
import { installProduct, type Product } from '../product.ts'
import { request, signUp } from './writers.ts'

const killTargets = ['server', 'database', 'both'] as const
type KillTarget = (typeof killTargets)[number]

const seed = Number(process.env['FOYER_SEED'] ?? Date.now() % 1_000_000)
const random = createRandom(seed)
const killCount = process.env['FOYER_FULL'] === '1' ? 20 : 3
const answerCount = 3
/** The text of every answer, which takes about a second. */
const words = Array.from({ length: 50 }, (_, number) => `word${number} `)
const wholeText = words.join('')
const maxKillDelayMs = 1500

let model: AiServer
let product: Product
let token: string
beforeAll(async () => {
  console.log(`answers: FOYER_SEED=${seed}`)
  model = await startAiServer({ respond: () => [{ text: words, everyMs: 20 }] })
  product = await installProduct({ AI_URL: model.baseUrl, AI_MODEL: 'small' })
  await product.start()
  token = (await signUp(product.url, 'ada')).token
})
afterAll(async () => {
  await product[Symbol.asyncDispose]()
  await model[Symbol.asyncDispose]()
})

test(
  `after each of ${killCount} kills no answer stays unfinished, and each can be tried again`,
  { timeout: killCount * 90_000 },
  async () => {
    onTestFailed(() => console.log(product.log()))
    const conversations = Array.from({ length: answerCount }, () => newId())
    for (const id of conversations) await sendUntilReady('POST', '/api/conversations', { id, title: 'Quiet deals' }, id)
    for (let round = 0; round < killCount; round++) {
      const target = killTargets[round % killTargets.length] ?? 'server'
      const sent = conversations.map((conversation) => ({ conversation, body: { id: newId(), answer_id: newId(), content: 'Go on' } }))
      const responses = sent.map(({ conversation, body }) => send('POST', `/api/conversations/${conversation}/messages`, body))
      await sleep(random.below(maxKillDelayMs))
      await kill(target)
      await Promise.all(responses)
      // a message whose request got no response is sent again with the same ids, as browsers do
      for (const { conversation, body } of sent) await sendUntilReady('POST', `/api/conversations/${conversation}/messages`, body)
      const answers = await Promise.all(sent.map(({ body }) => waitForEnd(body.answer_id)))
      console.log(`answers: ${target} killed; ${answers.map(({ state, content }) => `${state} with ${content.length}`).join(', ')}`)
      for (const { state, content, problem } of answers) {
        expect(['done', 'interrupted']).toContain(state)
        expect(wholeText.startsWith(content)).toBe(true)
        if (state === 'done') expect(content).toBe(wholeText)
        else expect(problem).toMatch(/\w+\.$/)
      }
      await Promise.all(sent.map(({ body }) => retry(body.answer_id)))
    }
    for (const id of conversations) {
      const { rows } = z.object({ rows: z.array(Message) }).parse(await sendUntilReady('GET', `/api/conversations/${id}/messages`))
      expect(rows.map(({ role }) => role)).toEqual(Array.from({ length: killCount }, () => ['user', 'assistant']).flat())
      expect(rows.every(({ role, content }) => content === (role === 'user' ? 'Go on' : wholeText))).toBe(true)
    }
    expect(await countUnfinished()).toBe(0)
  },
)

async function retry(replacedId: string): Promise<void> {
  const answerId = newId()
  await sendUntilReady('POST', `/api/messages/${replacedId}/retry`, { answer_id: answerId })
  expect(await waitForEnd(answerId)).toMatchObject({ state: 'done', content: wholeText })
}

async function waitForEnd(id: string): Promise<Message> {
  const read = async (): Promise<Message> => Message.parse(await sendUntilReady('GET', `/api/messages/${id}`))
  await expect.poll(async () => (await read()).state, { timeout: 30_000, interval: 200 }).not.toBe('streaming')
  return read()
}

/** Counts the answers that are stored as being written, also those that no process writes any more. */
async function countUnfinished(): Promise<number> {
  const tableOwner = new pg.Client({ host: join(product.folder, 'run'), database: 'foyer', user: 'foyer' })
  await tableOwner.connect()
  const { rowCount } = await tableOwner.query(`select from messages where state = 'streaming' and not is_replaced`)
  await tableOwner.end()
  return rowCount ?? NaN
}

/** Kills the target, and starts the server again if it was killed; a running server starts a killed database itself. */
async function kill(target: KillTarget): Promise<void> {
  const processIds = { server: [product.serverProcessId()], database: [product.databaseProcessId()] }
  const killed = target === 'both' ? [...processIds.server, ...processIds.database] : processIds[target]
  for (const id of killed) process.kill(id, 'SIGKILL')
  if (target === 'database') return
  await product.exited()
  await product.start()
}

function send(method: string, path: string, body?: unknown, key?: string) {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(key !== undefined && { 'idempotency-key': key }),
  }
  return request(product.url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
}

/** Repeats a request until the server is ready again. Returns the body of the response. */
async function sendUntilReady(method: string, path: string, body?: unknown, key?: string): Promise<unknown> {
  let response = await send(method, path, body, key)
  const isReady = (): boolean => response !== undefined && response.status < 500
  await expect
    .poll(
      async () => {
        if (!isReady()) response = await send(method, path, body, key)
        return isReady()
      },
      { timeout: 30_000 },
    )
    .toBe(true)
  expect(response?.status, response?.text).toBeLessThan(300)
  return JSON.parse(response?.text ?? '')
}
