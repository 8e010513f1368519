// More than 50 changes at once are a large transaction, both in a proposal and in a call of a tool by another program.
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { callerFor } from '#server/platform/database/transaction.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { createApiKey, signInAs, type Person } from '#server/testing/people.ts'
import { propose } from '#server/testing/proposals.ts'
import { recordsOf } from '#server/testing/records.ts'

let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
})

const newTasks = (count: number) => ({
  kind: 'task',
  records: Array.from({ length: count }, (_, index) => ({ title: `Task ${index}` })),
})

/** Runs one large transaction of the owner until the end of the test, and fills the queue of the owner behind it. */
async function fillLargeQueue(): Promise<void> {
  const end = Promise.withResolvers<void>()
  const started = Promise.withResolvers<void>()
  const runLarge = () =>
    app.database.longTransaction(callerFor(ada.id), '', 'large', async () => {
      started.resolve()
      await end.promise
    })
  const transactions = Array.from({ length: 9 }, runLarge)
  onTestFinished(async () => {
    end.resolve()
    await Promise.all(transactions)
  })
  await started.promise
}

async function applyProposal(count: number): Promise<string> {
  const { id, items } = await propose(app, ada, [['propose_create', newTasks(count)]])
  const payload = { items: items.map(({ key }) => ({ key })) }
  return (await ada.send({ method: 'POST', url: `/api/proposals/${id}/apply`, payload })).body
}

async function callTool(count: number): Promise<string> {
  const key = await createApiKey(app, ada, 'read', 'write')
  const response = await key.send({
    method: 'POST',
    url: '/mcp',
    headers: { accept: 'application/json, text/event-stream' },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'create', arguments: newTasks(count) } },
  })
  return response.body
}

const countTasks = async (): Promise<number> => (await recordsOf(ada, '/api/tasks').listAll({})).length

test.each([
  ['a proposal', applyProposal],
  ['a tool of another program', callTool],
])(
  'while the queue of large transactions of the owner is full, 51 changes of %s are refused, and 50 changes are made',
  async (_, change) => {
    await fillLargeQueue()
    expect(await change(51)).toContain('Too many tries.')
    expect(await countTasks()).toBe(0)
    await change(50)
    expect(await countTasks()).toBe(50)
  },
)
