// A proposal is applied when its owner confirms it: completely or not at all, once, and as one change of the assistant.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Proposal } from '#contract/proposals.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addCompany, addContacts } from '#server/testing/dependents.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { propose, readProposal, type ToolCall } from '#server/testing/proposals.ts'
import { readLabel, recordsOf, undo, type ListedRecord } from '#server/testing/records.ts'
import { readOwnedRows } from '#server/testing/rows.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { sql } from '#server/platform/database/database.ts'

let app: TestApp
let ada: Person
let shelves: ListedRecord
let desk: ListedRecord
let imara: ListedRecord
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  imara = await recordsOf(ada, '/api/contacts').add({ first_name: 'Imara', last_name: 'Vantongeren', email: 'imara@example.org' })
  shelves = await recordsOf(ada, '/api/deals').add({ title: 'Library shelves', value: 300, stage: 'lead' })
  desk = await recordsOf(ada, '/api/deals').add({ title: 'Library desk', value: 200, stage: 'lead' })
})

const deals = () => recordsOf(ada, '/api/deals')
const readRecords = () => readOwnedRows(app, ada.id, { onlyJournaled: true })

const changeThree = (): ToolCall[] => [
  ['propose_update', { kind: 'deal', records: [shelves.id], fields: { stage: 'proposal' } }],
  ['propose_delete', { kind: 'deal', records: [desk.id] }],
  ['propose_create', { kind: 'task', records: [{ title: 'Call Imara', contact_id: imara.id }] }],
]

type Ticked = { key: string; fields?: Record<string, unknown>; version?: number; allow_duplicate?: boolean }
const tickAll = ({ items }: Proposal): Ticked[] => items.map(({ key }) => ({ key }))
const apply = (proposal: Proposal, items = tickAll(proposal), headers: Record<string, string> = {}) =>
  ada.send({ method: 'POST', url: `/api/proposals/${proposal.id}/apply`, payload: { items }, headers })

test('confirmed changes are one change of the assistant, which can be undone and redone', async () => {
  const proposal = await propose(app, ada, changeThree())
  const before = await readRecords()
  const response = await apply(proposal)
  expect(response.statusCode, response.body).toBe(200)
  const after = await readRecords()
  expect(response.json()).toMatchObject({
    state: 'applied',
    change_id: response.headers['foyer-change'],
    items: [
      { key: 'c1', decision: 'done' },
      { key: 'c2', decision: 'done' },
      { key: 'c3', decision: 'done', id: expect.stringMatching(/^[\w-]{36}$/), title: 'Call Imara' },
    ],
  })
  expect(await deals().get(shelves.id)).toMatchObject({ stage: 'proposal' })
  expect(await readLabel(ada, response)).toBe('Applied 3 changes of the assistant')
  const { rows } = (await ada.send({ url: '/api/changes/recent' })).json()
  expect(rows[0]).toMatchObject({ actor: 'assistant', label: 'Applied 3 changes of the assistant' })

  const undone = await undo(ada, response)
  expect(await readRecords()).toEqual(before)
  await undo(ada, undone)
  expect(await readRecords()).toEqual(after)
})

test('unticked changes are left out, and edited fields are applied', async () => {
  const proposal = await propose(app, ada, changeThree())
  const response = await apply(proposal, [{ key: 'c1', fields: { stage: 'negotiation', value: 999 } }])
  expect(response.json()).toMatchObject({
    items: [{ decision: 'done', fields: { stage: 'negotiation', value: 999 } }, { decision: 'left_out' }, { decision: 'left_out' }],
  })
  expect(await deals().get(shelves.id)).toMatchObject({ stage: 'negotiation', value: 999 })
  expect((await deals().query(`/${desk.id}`)).statusCode).toBe(200)
})

test('new records of the proposal are added before the changes that link to them', async () => {
  const proposal = await propose(app, ada, [
    ['propose_create', { kind: 'company', records: [{ name: 'Harrowmere' }] }],
    ['propose_create', { kind: 'contact', records: [{ first_name: 'Rosamund', last_name: 'Dunmarrow', company_id: 'new:c1' }] }],
    ['propose_update', { kind: 'deal', records: [shelves.id], fields: { contact_id: 'new:c2', company_id: 'new:c1' } }],
  ])
  const { items }: Proposal = (await apply(proposal, tickAll(proposal).toReversed())).json()
  expect(await deals().get(shelves.id)).toMatchObject({
    company_id: items[0]?.id,
    contact_id: items[1]?.id,
    contact_name: 'Rosamund Dunmarrow',
  })
  expect(items[2]?.fields).toEqual({ contact_id: items[1]?.id, company_id: items[0]?.id })
})

test('a change that links to a new record which is not ticked is refused', async () => {
  const proposal = await propose(app, ada, [
    ['propose_create', { kind: 'company', records: [{ name: 'Harrowmere' }] }],
    ['propose_update', { kind: 'deal', records: [shelves.id], fields: { company_id: 'new:c1' } }],
  ])
  const response = await apply(proposal, [{ key: 'c2' }])
  expect(response.json()).toMatchObject({
    code: 'invalid',
    fields: { 'items.c2.company_id': expect.stringContaining('no proposed company') },
  })
})

test('the response has the errors of all changes with their fields, and nothing is changed', async () => {
  const proposal = await propose(app, ada, changeThree())
  await deals().remove(desk.id)
  const before = await readRecords()
  const response = await apply(proposal, [
    { key: 'c1', fields: { value: -5, color: 'red' } }, // values are checked only when all fields are known, so `value` has no error
    { key: 'c2' },
    { key: 'c3', fields: { title: '' } },
  ])
  expect(response.statusCode).toBe(422)
  expect(response.json()).toMatchObject({
    code: 'invalid',
    fields: {
      'items.c1.color': expect.stringContaining('This field is not known'),
      'items.c2': 'This deal is no longer here',
      'items.c3.title': 'Enter a title',
    },
  })
  expect(await readRecords()).toEqual(before)
  expect(await readProposal(ada, proposal.id)).toEqual(proposal)
  expect((await apply(proposal, [{ key: 'c1' }, { key: 'c3' }])).statusCode).toBe(200)
})

test.each([
  ['an unknown change', [{ key: 'c9' }], 'items.c9'],
  ['a change that is ticked twice', [{ key: 'c1' }, { key: 'c1' }], 'items.c1'],
])('%s is refused, and so is an empty list of changes', async (_name, items, field) => {
  const proposal = await propose(app, ada, changeThree())
  expect((await apply(proposal, items)).json()).toMatchObject({
    code: 'invalid',
    fields: { [field]: 'This change is not in the proposal' },
  })
  expect((await apply(proposal, [])).statusCode).toBe(422)
})

test('a record that was changed after the proposal is a conflict with both values, and a request with the new version is applied', async () => {
  const proposal = await propose(app, ada, changeThree())
  await deals().edit(shelves.id, { stage: 'negotiation' })
  const before = await readRecords()
  const response = await apply(proposal)
  expect(response.statusCode).toBe(409)
  const { items, ...problem } = response.json()
  const { conflict } = items.c1
  expect(problem).toMatchObject({ code: 'conflict', fields: { 'items.c1.stage': expect.any(String) } })
  expect(conflict).toMatchObject({
    fields: [{ field: 'stage', yours: 'proposal', theirs: 'negotiation' }],
    actor: `user:${ada.id}`,
  })
  expect(await readRecords()).toEqual(before)
  expect((await apply(proposal, [{ key: 'c1', version: conflict.version }])).statusCode).toBe(200)
  expect(await deals().get(shelves.id)).toMatchObject({ stage: 'proposal' })
})

test('a change of another field after the proposal is no conflict', async () => {
  const proposal = await propose(app, ada, changeThree())
  await deals().edit(shelves.id, { value: 1 })
  expect((await apply(proposal)).statusCode).toBe(200)
  expect(await deals().get(shelves.id)).toMatchObject({ stage: 'proposal', value: 1 })
})

test('a record that was changed after the proposal is deleted only when the user has seen its new values', async () => {
  const proposal = await propose(app, ada, changeThree())
  await deals().edit(desk.id, { value: 5000 })
  const { conflict } = (await apply(proposal, [{ key: 'c2' }])).json().items.c2
  expect(conflict).toMatchObject({ fields: [{ field: 'value', yours: 200, theirs: 5000 }] })
  expect((await apply(proposal, [{ key: 'c2', version: conflict.version }])).statusCode).toBe(200)
  expect((await deals().query(`/${desk.id}`)).statusCode).toBe(404)
})

test('each refused change has its own conflict or matches, and can be confirmed', async () => {
  const proposal = await propose(app, ada, [
    ['propose_create', { kind: 'contact', records: [{ first_name: 'Imara', last_name: 'V', email: 'imara@example.org' }] }],
    ['propose_update', { kind: 'deal', records: [shelves.id], fields: { value: 310 } }],
    ['propose_update', { kind: 'deal', records: [desk.id], fields: { value: 210 } }],
  ])
  await deals().edit(shelves.id, { value: 320 })
  await deals().edit(desk.id, { value: 220 })
  const { items } = (await apply(proposal)).json()
  expect(items).toMatchObject({
    c1: { matches: [{ id: imara.id }] },
    c2: { conflict: { fields: [{ field: 'value', yours: 310, theirs: 320 }] } },
    c3: { conflict: { fields: [{ field: 'value', yours: 210, theirs: 220 }] } },
  })
  const confirmed = [
    { key: 'c1', allow_duplicate: true },
    { key: 'c2', version: items.c2.conflict.version },
    { key: 'c3', version: items.c3.conflict.version },
  ]
  expect((await apply(proposal, confirmed)).statusCode).toBe(200)
  expect([await deals().get(shelves.id), await deals().get(desk.id)]).toMatchObject([{ value: 310 }, { value: 210 }])
})

test('a duplicate is refused with the records that match, and added when the user wants it', async () => {
  const proposal = await propose(app, ada, [
    ['propose_create', { kind: 'contact', records: [{ first_name: 'Imara', last_name: 'V', email: 'imara@example.org' }] }],
    ['propose_update', { kind: 'deal', records: [shelves.id], fields: { stage: 'proposal' } }],
  ])
  const response = await apply(proposal)
  expect(response.json()).toMatchObject({
    code: 'duplicate',
    items: { c1: { matches: [{ id: imara.id }] } },
    fields: { 'items.c1': expect.any(String) },
  })
  expect(await deals().get(shelves.id)).toMatchObject({ stage: 'lead' })
  expect((await apply(proposal, [{ key: 'c1', allow_duplicate: true }, { key: 'c2' }])).statusCode).toBe(200)
})

test('six confirmations at the same time apply the changes once', async () => {
  const proposal = await propose(app, ada, changeThree())
  const responses = await Promise.all(Array.from({ length: 6 }, () => apply(proposal)))
  expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  expect(responses.filter(({ statusCode }) => statusCode === 409).map((response) => response.json().code)).toEqual(
    Array.from({ length: 5 }, () => 'proposal_closed'),
  )
  expect((await recordsOf(ada, '/api/tasks').list()).rows).toHaveLength(1)
})

test('a confirmation that is repeated with its Idempotency-Key gets the same response, also at the same time', async () => {
  const proposal = await propose(app, ada, changeThree())
  const key = { 'idempotency-key': 'confirm-1' }
  const [first, second] = await Promise.all([apply(proposal, undefined, key), apply(proposal, undefined, key)])
  expect([first.statusCode, second.statusCode]).toEqual([200, 200])
  expect(first.json()).toEqual(second.json())
  expect((await apply(proposal, undefined, key)).json()).toEqual(first.json())
  expect((await recordsOf(ada, '/api/tasks').list()).rows).toHaveLength(1)
})

test('a discarded proposal changes nothing and cannot be applied, and an applied one cannot be discarded', async () => {
  const before = await readRecords()
  const discarded = await propose(app, ada, changeThree())
  const discard = (proposal: Proposal) => ada.send({ method: 'POST', url: `/api/proposals/${proposal.id}/discard` })
  const withConversations = await readRecords()
  expect((await discard(discarded)).json()).toMatchObject({ state: 'discarded' })
  expect((await apply(discarded)).json()).toMatchObject({ code: 'proposal_closed' })
  expect(await readRecords()).toEqual(withConversations)
  expect(before).not.toEqual(withConversations) // `propose` has added the conversation, so the comparison above does find changes
  const applied = await propose(app, ada, changeThree())
  await apply(applied)
  expect((await discard(applied)).json()).toMatchObject({ code: 'proposal_closed' })
})

test('200 changes are applied as one change', async () => {
  const records = Array.from({ length: 200 }, (_, number) => ({ title: `Task ${number}` }))
  const proposal = await propose(app, ada, [['propose_create', { kind: 'task', records }]])
  const response = await apply(proposal)
  expect(response.statusCode, response.body.slice(0, 300)).toBe(200)
  expect(await readLabel(ada, response)).toBe('Applied 200 changes of the assistant')
  expect((await recordsOf(ada, '/api/tasks').list({ limit: '200' })).rows).toHaveLength(200)
})

test('a record on which very many others depend is not deleted, and the refusal says where to delete it', async () => {
  const company = newId()
  await app.database.transaction({ ...callerFor(ada.id), timeoutMs: 60_000 }, 'Imported', () =>
    Promise.all([addCompany(company), addContacts(company, 1500)].map(([text, ...values]) => sql(text, values))),
  )
  const proposal = await propose(app, ada, [
    ['propose_update', { kind: 'deal', records: [shelves.id], fields: { stage: 'proposal' } }],
    ['propose_delete', { kind: 'company', records: [company] }],
  ])
  const response = await apply(proposal)
  expect(response.json()).toMatchObject({ code: 'too_many', fields: { 'items.c2': expect.stringContaining('Delete it in its list') } })
  expect(await deals().get(shelves.id)).toMatchObject({ stage: 'lead' })
})

test('the proposal of another owner is not found', async () => {
  const proposal = await propose(app, ada, changeThree())
  const grace = await signInAs(app, 'grace')
  for (const action of ['apply', 'discard']) {
    const url = `/api/proposals/${proposal.id}/${action}`
    const response = await grace.send({ method: 'POST', url, ...(action === 'apply' && { payload: { items: [{ key: 'c1' }] } }) })
    expect(response.statusCode).toBe(404)
  }
  expect((await readProposal(ada, proposal.id)).state).toBe('open')
})
