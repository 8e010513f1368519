// A proposal is part of its conversation: while the conversation is deleted, the proposal cannot be found.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs } from '#server/testing/people.ts'
import { propose } from '#server/testing/proposals.ts'
import { recordsOf, undo } from '#server/testing/records.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

test('the proposal of a deleted conversation can be neither read nor decided, until the deletion is undone', async () => {
  const ada = await signInAs(app, 'ada')
  const deals = recordsOf(ada, '/api/deals')
  const shelves = await deals.add({ title: 'Library shelves', value: 300, stage: 'lead' })
  const { id, conversation_id, items } = await propose(app, ada, [
    ['propose_update', { kind: 'deal', records: [shelves.id], fields: { stage: 'proposal' } }],
  ])
  const deletion = await ada.send({ method: 'DELETE', url: `/api/conversations/${conversation_id}` })
  const decide = async (decision: 'apply' | 'discard', payload: object): Promise<number> =>
    (await ada.send({ method: 'POST', url: `/api/proposals/${id}/${decision}`, payload })).statusCode
  const ticked = { items: items.map(({ key }) => ({ key })) }
  expect(await decide('apply', ticked)).toBe(404)
  expect(await decide('discard', {})).toBe(404)
  expect((await ada.send({ url: `/api/proposals/${id}` })).statusCode).toBe(404)
  expect(await deals.get(shelves.id)).toMatchObject({ stage: 'lead' })

  await undo(ada, deletion)
  expect(await decide('apply', ticked)).toBe(200)
  expect(await deals.get(shelves.id)).toMatchObject({ stage: 'proposal' })
})
