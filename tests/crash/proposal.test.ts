// The server, the database or both are killed with SIGKILL while a proposal of the assistant is applied. It is then applied completely or
// not at all, and a repeated confirmation applies it once.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import * as z from 'zod/mini'
import { Proposal } from '#contract/proposals.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { createRandom } from '#server/testing/random.ts'
import { installProduct, type Product } from '../product.ts'
import { request, signUp } from './writers.ts'

const killTargets = ['server', 'database', 'both'] as const
type KillTarget = (typeof killTargets)[number]

const seed = Number(process.env['FOYER_SEED'] ?? Date.now() % 1_000_000)
const random = createRandom(seed)
const killCount = process.env['FOYER_FULL'] === '1' ? 20 : 3
/** The number of new tasks in a proposal, so that applying it takes long enough for a kill in the middle. */
const taskCount = 150

let product: Product
let token: string
beforeAll(async () => {
  console.log(`proposal: FOYER_SEED=${seed}`)
  product = await installProduct()
  await product.start()
  token = (await signUp(product.url, 'ada')).token
})
afterAll(() => product[Symbol.asyncDispose]())

test(
  `after each of ${killCount} kills a proposal is applied completely or not at all, and a repeated confirmation applies it once`,
  { timeout: killCount * 60_000 },
  async () => {
    onTestFailed(() => console.log(product.log()))
    const usualMs = await measureMs(async () => {
      const first = await addProposal('first')
      expect((await apply(first, 'first')).state).toBe('applied')
    })
    for (let round = 0; round < killCount; round++) {
      const target = killTargets[round % killTargets.length] ?? 'server'
      const name = `round-${round}`
      const id = await addProposal(name)
      const applied = send('POST', `/api/proposals/${id}/apply`, { items: itemKeys }, name)
      await sleep(random.below(Math.ceil(usualMs * 1.2)))
      await kill(target)
      await applied
      const { state, items, change_id: change } = await readProposal(id)
      const doneCount = await countTasks(name)
      console.log(`proposal: ${target} killed; the proposal is ${state}`)
      expect([state, doneCount]).toEqual(state === 'applied' ? ['applied', taskCount] : ['open', 0])
      expect(items.every(({ decision }) => decision === (state === 'applied' ? 'done' : 'open'))).toBe(true)

      const result = await apply(id, name)
      expect(result.state).toBe('applied')
      if (change !== null) expect(result.change_id).toBe(change)
      expect(await countTasks(name)).toBe(taskCount)
      expect(await send('POST', `/api/proposals/${id}/apply`, { items: itemKeys })).toMatchObject({ status: 409 })
      expect(await countTasks(name)).toBe(taskCount)
    }
  },
)

const itemKeys = Array.from({ length: taskCount }, (_, number) => ({ key: `c${number}` }))

/** Adds an answer with a proposal of new tasks. The rows are inserted, because no AI is connected. Returns the id of the proposal. */
async function addProposal(name: string): Promise<string> {
  const ids = { conversation: newId(), answer: newId(), proposal: newId() }
  const items = itemKeys.map(({ key }) => ({
    key,
    action: 'create',
    kind: 'task',
    id: null,
    version: null,
    title: `${name}, ${key}`,
    fields: { title: `${name}, ${key}` },
    before: {},
    link_titles: {},
    decision: 'open',
  }))
  const tableOwner = new pg.Client({ host: join(product.folder, 'run'), database: 'foyer', user: 'foyer' })
  await tableOwner.connect()
  await tableOwner.query(
    `with conversation as (insert into conversations (user_id, id) select id, $1 from users),
       answer as (insert into messages (user_id, conversation_id, id, number, role) select id, $1, $2, 1, 'assistant' from users returning *)
     insert into proposals (user_id, conversation_id, message_id, id, items) select user_id, conversation_id, id, $3, $4 from answer`,
    [ids.conversation, ids.answer, ids.proposal, JSON.stringify(items)],
  )
  await tableOwner.end()
  return ids.proposal
}

async function measureMs(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
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

async function send(method: string, path: string, body?: unknown, key?: string) {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(key !== undefined && { 'idempotency-key': key }),
  }
  return request(product.url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
}

/** Repeats a request until the server is ready again. Returns the body of the response. */
async function sendUntilReady(method: string, path: string, body?: unknown, key?: string): Promise<unknown> {
  const isReady = (response: Awaited<ReturnType<typeof send>>): boolean => response !== undefined && response.status < 500
  let response = await send(method, path, body, key)
  await expect
    .poll(async () => isReady(response) || isReady((response = await send(method, path, body, key))), { timeout: 30_000 })
    .toBe(true)
  expect(response?.status, response?.text).toBe(200)
  return JSON.parse(response?.text ?? '')
}

const readProposal = async (id: string): Promise<Proposal> => Proposal.parse(await sendUntilReady('GET', `/api/proposals/${id}`))

const apply = async (id: string, key: string): Promise<Proposal> =>
  Proposal.parse(await sendUntilReady('POST', `/api/proposals/${id}/apply`, { items: itemKeys }, key))

async function countTasks(name: string): Promise<number> {
  const query = new URLSearchParams({ filter: JSON.stringify([{ field: 'title', has: `${name}, ` }]) }).toString()
  return z.object({ count: z.int() }).parse(await sendUntilReady('GET', `/api/tasks/count?${query}`)).count
}
