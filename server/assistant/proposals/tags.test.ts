// A proposal that adds and removes tags is applied when its owner confirms it.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Proposal } from '#contract/proposals.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { propose } from '#server/testing/proposals.ts'
import { recordsOf, undo, type ListedRecord } from '#server/testing/records.ts'

let app: TestApp
let ada: Person
let shelves: ListedRecord
let desk: ListedRecord
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  shelves = await deals().add({ title: 'Library shelves', stage: 'lead' })
  desk = await deals().add({ title: 'Library desk', stage: 'lead', tags: ['Pine', 'Fair'] })
})

const deals = () => recordsOf(ada, '/api/deals')
const proposeTags = (input: Record<string, unknown>) => propose(app, ada, [['propose_tag', { kind: 'deal', ...input }]])
const apply = ({ id, items }: Proposal) =>
  ada.send({ method: 'POST', url: `/api/proposals/${id}/apply`, payload: { items: items.map(({ key }) => ({ key })) } })

test('tags are added to the records that match a search', async () => {
  const proposal = await proposeTags({ matching: { search: 'library' }, add: ['Oak'] })
  expect((await apply(proposal)).statusCode).toBe(200)
  expect((await deals().list({ filter: [{ field: 'tags', is: ['oak'] }] })).rows).toHaveLength(2)
})

test('a tag is removed from a record, whatever the case of its letters, and Undo adds it again', async () => {
  const response = await apply(await proposeTags({ records: [desk.id], remove: ['pine'] }))
  expect(response.statusCode, response.body).toBe(200)
  expect(await deals().get(desk.id)).toMatchObject({ tags: ['Fair'] })
  await undo(ada, response)
  expect(await deals().get(desk.id)).toMatchObject({ tags: ['Pine', 'Fair'] })
})

test('one tag is removed and another added by the same change', async () => {
  const response = await apply(await proposeTags({ records: [desk.id], add: ['Oak'], remove: ['Pine'] }))
  expect(response.statusCode, response.body).toBe(200)
  expect(await deals().get(desk.id)).toMatchObject({ tags: ['Fair', 'Oak'] })
})

test('if one of the records was deleted after the proposal, none gets tags, and the refusal says so', async () => {
  const proposal = await proposeTags({ records: [desk.id, shelves.id], add: ['Oak'] })
  await deals().remove(desk.id)
  const response = await apply(proposal)
  expect(response.json()).toMatchObject({ code: 'not_found', fields: { 'items.c1': 'This deal is no longer here' } })
  expect(await deals().get(shelves.id)).toMatchObject({ tags: [] })
})
