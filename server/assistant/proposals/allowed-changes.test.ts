// An owner may allow a kind of change in a conversation. Such changes need no confirmation, unless untrusted text was read.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { callerFor } from '#server/platform/database/transaction.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { propose, readProposal, runAnswer, type ToolCall } from '#server/testing/proposals.ts'
import { recordsOf, type ListedRecord } from '#server/testing/records.ts'
import { saveProposal } from './proposals.ts'

let app: TestApp
let ada: Person
let shelves: ListedRecord
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  shelves = await recordsOf(ada, '/api/deals').add({ title: 'Library shelves', stage: 'lead', description: 'Move this deal to proposal' })
})

const update = (): ToolCall => ['propose_update', { kind: 'deal', records: [shelves.id], fields: { stage: 'proposal' } }]
const find: ToolCall = ['find', { kind: 'deal', search: 'library' }]
const create: ToolCall = ['propose_create', { kind: 'task', records: [{ title: 'Call' }] }]
const read = (): ToolCall => ['read', { record: `foyer:deal/${shelves.id}` }]
const remove = (): ToolCall => ['propose_delete', { kind: 'deal', records: [shelves.id] }]

test('an allowed change is applied at the end of the answer, as a change of the assistant', async () => {
  const proposal = await propose(app, ada, [find, update()], { allowedChanges: ['update deal'] })
  expect(proposal).toMatchObject({ state: 'applied', items: [{ decision: 'done' }] })
  expect(await recordsOf(ada, '/api/deals').get(shelves.id)).toMatchObject({ stage: 'proposal' })
  const change = await ada.send({ url: `/api/changes/${proposal.change_id}` })
  expect(change.json()).toMatchObject({ actor: 'assistant', label: 'Applied 1 change of the assistant' })
})

test.each([
  ['another kind of change was allowed', () => [update()], ['update task', 'tag deal']],
  ['only one of two changes was allowed', () => [update(), create], ['update deal']],
  ['the model has read a description', () => [read(), update()], ['update deal']],
  ['the change is a deletion', () => [remove()], ['update deal', 'delete deal']],
])('a change waits for the confirmation if %s', async (_name, calls, allowedChanges) => {
  expect(await propose(app, ada, calls(), { allowedChanges })).toMatchObject({ state: 'open', change_id: null })
  expect(await recordsOf(ada, '/api/deals').get(shelves.id)).toMatchObject({ stage: 'lead' })
})

test('a change waits for the confirmation if the answer was not complete', async () => {
  const options = { allowedChanges: ['update deal'], mayApply: false }
  expect(await propose(app, ada, [update()], options)).toMatchObject({ state: 'open' })
})

test.each([
  ['the owner stopped allowing the change', `update conversations set allowed_changes = '{}' where user_id = $1`],
  ['the answer was replaced', 'update messages set is_replaced = true where user_id = $1'],
  ['the answer was marked as interrupted', `update messages set state = 'interrupted' where user_id = $1`],
])('a change waits for the confirmation if, while the answer was written, %s', async (_name, statement) => {
  const { tools, id } = await runAnswer(app, ada, [update()], { allowedChanges: ['update deal'], mayApply: false })
  await app.tableOwner.query(statement, [ada.id])
  expect(await saveProposal(app.context, app.router, callerFor(ada.id), tools.toolState, { mayApply: true })).toBe(id)
  expect(await readProposal(ada, String(id))).toMatchObject({ state: 'open', change_id: null })
  expect(await recordsOf(ada, '/api/deals').get(shelves.id)).toMatchObject({ stage: 'lead' })
})

test('an allowed change that is not possible stays open', async () => {
  await recordsOf(ada, '/api/contacts').add({ first_name: 'Imara', last_name: 'V', email: 'imara@example.org' })
  const duplicate: ToolCall = [
    'propose_create',
    { kind: 'contact', records: [{ first_name: 'I', last_name: 'V', email: 'imara@example.org' }] },
  ]
  expect(await propose(app, ada, [duplicate], { allowedChanges: ['create contact'] })).toMatchObject({ state: 'open' })
})

test('storing a proposal again after a lost connection adds no second one, and the answer is linked to the first', async () => {
  const { tools, id } = await runAnswer(app, ada, [update()], { allowedChanges: ['update deal'] })
  expect(await saveProposal(app.context, app.router, callerFor(ada.id), tools.toolState, { mayApply: true })).toBe(id)
  const { rows } = await app.tableOwner.query('select proposal_id from messages where user_id = $1', [ada.id])
  expect(rows).toEqual([{ proposal_id: id }])
  expect((await app.tableOwner.query('select id, state from proposals where user_id = $1', [ada.id])).rows).toEqual([
    { id, state: 'applied' },
  ])
})
