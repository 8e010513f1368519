// The tools that propose changes: they check the input, gather the changes in one list, and change nothing.
import { isDeepStrictEqual } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf, type ListedRecord } from '#server/testing/records.ts'
import { readOwnedRows } from '#server/testing/rows.ts'
import { openTools, type TestTools } from '#server/testing/tools.ts'

let app: TestApp
let ada: Person
let imara: ListedRecord
let shelves: ListedRecord
let desk: ListedRecord
let tools: TestTools
let rows: unknown
beforeAll(async () => {
  app = await openTestApp()
  ada = await signInAs(app, 'ada')
  imara = await recordsOf(ada, '/api/contacts').add({ first_name: 'Imara', last_name: 'Vantongeren', tags: ['Fair'] })
  shelves = await recordsOf(ada, '/api/deals').add({ title: 'Library shelves', value: 300, stage: 'lead', contact_id: imara.id })
  desk = await recordsOf(ada, '/api/deals').add({ title: 'Library desk', value: 200, stage: 'lead' })
  rows = await readOwnedRows(app, ada.id)
})
afterAll(() => app.stop())
beforeEach(() => {
  tools = openTools(app, ada)
})
afterEach(async () => {
  const after = await readOwnedRows(app, ada.id)
  if (!isDeepStrictEqual(after, rows)) throw new Error('A tool has changed rows')
})

test('an edit has the values before and after, the version, and the titles of linked records', async () => {
  const result = await tools.call('propose_update', {
    kind: 'deal',
    records: [`foyer:deal/${shelves.id}`],
    fields: { stage: 'proposal', contact_id: null },
  })
  expect(result).toMatchObject({
    proposed: 1,
    changes: [{ link: `foyer:deal/${shelves.id}` }],
    note: expect.stringContaining('Not done yet'),
  })
  expect(tools.toolState.items).toEqual([
    {
      key: 'c1',
      action: 'update',
      kind: 'deal',
      id: shelves.id,
      version: shelves.version,
      title: 'Library shelves',
      fields: { stage: 'proposal', contact_id: null },
      before: { stage: 'lead', contact_id: imara.id },
      link_titles: { [imara.id]: 'Imara Vantongeren' },
      decision: 'open',
    },
  ])
  expect(tools.steps).toMatchObject([{ text: 'Proposed to change 1 deal', records: [{ kind: 'deal', id: shelves.id }] }])
})

test('all records that match a filter are changed in one call, except those that have the values already', async () => {
  const matching = { search: 'library', filter: [{ field: 'stage', is: ['lead'] }] }
  expect(await tools.call('propose_update', { kind: 'deal', matching, fields: { value: 200 } })).toMatchObject({
    proposed: 1,
    unchanged: 1,
  })
  expect(tools.toolState.items).toMatchObject([{ id: shelves.id, fields: { value: 200 }, before: { value: 300 } }])
})

test('a change to the values that the records have already proposes nothing, and says so', async () => {
  const result = await tools.call('propose_update', { kind: 'deal', records: [shelves.id], fields: { stage: 'lead' } })
  expect(result).toMatchObject({ proposed: 0, unchanged: 1, note: expect.stringMatching(/^Nothing was proposed/) })
  expect(tools.toolState.items).toEqual([])
  expect(tools.steps).toMatchObject([{ text: 'Found nothing to change in 1 deal', records: [] }])
})

test('a call that matches no record proposes nothing, and says so', async () => {
  const matching = { search: 'zzzzzz' }
  const calls = [
    ['propose_update', { fields: { value: 200 } }],
    ['propose_delete', {}],
    ['propose_tag', { add: ['Oak'] }],
  ] as const
  for (const [name, input] of calls)
    expect(await tools.call(name, { kind: 'deal', matching, ...input })).toMatchObject({
      proposed: 0,
      note: 'Nothing was proposed: no record matches.',
    })
  expect(tools.steps.map(({ text }) => text)).toEqual(['change', 'delete', 'tag'].map((verb) => `Found no deals to ${verb}`))
})

test('a later call can replace a proposed value by the value that the record has already', async () => {
  await tools.call('propose_update', { kind: 'deal', records: [shelves.id], fields: { stage: 'proposal' } })
  await tools.call('propose_update', { kind: 'deal', records: [shelves.id], fields: { stage: 'lead' } })
  expect(tools.toolState.items).toMatchObject([{ id: shelves.id, fields: { stage: 'lead' }, before: { stage: 'lead' } }])
})

test('a second call for the same record is merged with the first, and `before` keeps the values that the record has', async () => {
  await tools.call('propose_update', { kind: 'deal', records: [shelves.id], fields: { value: 400, stage: 'proposal' } })
  await tools.call('propose_update', { kind: 'deal', records: [shelves.id], fields: { value: 500 } })
  await tools.call('propose_tag', { kind: 'deal', records: [shelves.id], add: ['Oak', 'Ash'] })
  await tools.call('propose_tag', { kind: 'deal', records: [shelves.id], remove: ['ash'] })
  expect(tools.toolState.items).toMatchObject([
    { key: 'c1', action: 'update', fields: { value: 500, stage: 'proposal' }, before: { value: 300, stage: 'lead' } },
    { key: 'c2', action: 'tag', fields: { add: ['Oak'], remove: ['ash'] }, before: { tags: [] } },
  ])
})

test('a delete replaces earlier changes of the record, and later changes of it are refused', async () => {
  await tools.call('propose_update', { kind: 'deal', records: [shelves.id], fields: { value: 400 } })
  await tools.call('propose_delete', { kind: 'deal', records: [shelves.id] })
  expect(tools.toolState.items).toMatchObject([
    { action: 'delete', id: shelves.id, fields: {}, before: { title: 'Library shelves', value: 300 } },
  ])
  await expect(tools.call('propose_update', { kind: 'deal', records: [shelves.id], fields: { value: 1 } })).rejects.toThrow(
    'This record is proposed to be deleted already',
  )
})

test('later changes link to new records of the same proposal and change them', async () => {
  expect(await tools.call('propose_create', { kind: 'company', records: [{ name: ' Harrowmere ' }] })).toMatchObject({
    changes: [{ key: 'new:c1' }],
  })
  await tools.call('propose_create', {
    kind: 'contact',
    records: [{ first_name: 'Rosamund', last_name: 'Dunmarrow', company_id: 'new:c1' }],
  })
  await tools.call('propose_update', { kind: 'deal', records: [`foyer:deal/${desk.id}`], fields: { contact_id: 'new:c2' } })
  await tools.call('propose_update', { kind: 'company', records: ['new:c1'], fields: { industry: 'Joinery' } })
  expect(tools.toolState.items).toMatchObject([
    { key: 'c1', action: 'create', id: null, version: null, title: 'Harrowmere', fields: { name: 'Harrowmere', industry: 'Joinery' } },
    { key: 'c2', title: 'Rosamund Dunmarrow', link_titles: { 'new:c1': 'Harrowmere' } },
    { key: 'c3', fields: { contact_id: 'new:c2' }, link_titles: { 'new:c2': 'Rosamund Dunmarrow' } },
  ])
  await expect(tools.call('propose_delete', { kind: 'company', records: ['new:c1'] })).rejects.toThrow('Another proposed change links to')
  await expect(tools.call('propose_create', { kind: 'task', records: [{ title: 'Call', contact_id: 'new:c1' }] })).rejects.toThrow(
    'There is no proposed contact with this key',
  )
})

test('a changed link of a proposed new record has the title of the linked record, and a missing record is refused', async () => {
  await tools.call('propose_create', { kind: 'company', records: [{ name: 'Harrowmere' }] })
  await tools.call('propose_create', { kind: 'contact', records: [{ first_name: 'Rosamund', last_name: 'Dunmarrow' }] })
  await tools.call('propose_update', { kind: 'contact', records: ['new:c2'], fields: { company_id: 'new:c1' } })
  expect(tools.toolState.items[1]).toMatchObject({ fields: { company_id: 'new:c1' }, link_titles: { 'new:c1': 'Harrowmere' } })
  const fields = { company_id: '01930000-0000-7000-8000-000000000001' }
  await expect(tools.call('propose_update', { kind: 'contact', records: ['new:c2'], fields })).rejects.toThrow(
    'company_id: There is no company with this id.',
  )
  expect(tools.toolState.items[1]).toMatchObject({ fields: { company_id: 'new:c1' } })
})

test('other changes show the new title of a proposed record that they link to', async () => {
  await tools.call('propose_create', { kind: 'company', records: [{ name: 'Harrowmere' }] })
  await tools.call('propose_create', {
    kind: 'contact',
    records: [{ first_name: 'Rosamund', last_name: 'Dunmarrow', company_id: 'new:c1' }],
  })
  await tools.call('propose_update', { kind: 'company', records: ['new:c1'], fields: { name: 'Harrowmere Joinery' } })
  expect(tools.toolState.items[1]).toMatchObject({ link_titles: { 'new:c1': 'Harrowmere Joinery' } })
})

test('a call that is refused for one proposed new record changes none of them', async () => {
  await tools.call('propose_create', { kind: 'company', records: [{ name: 'Harrowmere' }] })
  await tools.call('propose_create', { kind: 'deal', records: [{ title: 'Counter', company_id: 'new:c1' }] })
  const proposed = structuredClone(tools.toolState.items)
  const call = tools.call('propose_update', { kind: 'company', records: ['new:c9', 'new:c1'], fields: { name: 'Oak' } })
  await expect(call).rejects.toThrow('There is no proposed company with this key')
  await tools.call('find', { kind: 'deal' }) // gives a change that still runs the time to end
  expect(tools.toolState.items).toEqual(proposed)
})

test('a proposed new record is not changed or removed as a record of another kind', async () => {
  await tools.call('propose_create', { kind: 'company', records: [{ name: 'Harrowmere' }] })
  const proposed = structuredClone(tools.toolState.items)
  const message = 'There is no proposed deal with this key'
  await expect(tools.call('propose_update', { kind: 'deal', records: ['new:c1'], fields: { title: 'Bar' } })).rejects.toThrow(message)
  await expect(tools.call('propose_delete', { kind: 'deal', records: ['new:c1'] })).rejects.toThrow(message)
  expect(tools.toolState.items).toEqual(proposed)
})

test('the step and the result say that proposed new records were removed from the proposal', async () => {
  await tools.call('propose_create', { kind: 'deal', records: [{ title: 'Bar' }, { title: 'Counter' }] })
  const removed = await tools.call('propose_delete', { kind: 'deal', records: ['new:c1'] })
  expect(removed).toEqual({
    proposed: 0,
    removed: 1,
    changes: [],
    note: 'The removed records are not in the proposal any more, so the user will not see them.',
  })
  expect(tools.steps.at(-1)?.text).toBe('Removed 1 proposed deal')
  const both = await tools.call('propose_delete', { kind: 'deal', records: ['new:c2', 'new:c2', shelves.id] })
  expect(both).toMatchObject({ proposed: 1, removed: 1, note: expect.stringMatching(/^Not done yet: .* The removed records are not/) })
  expect(tools.steps.at(-1)?.text).toBe('Proposed to delete 1 deal · removed 1 proposed deal')
  expect(tools.toolState.items).toMatchObject([{ action: 'delete', id: shelves.id }])
})

test.each([
  ['a wrong value', 'propose_update', { kind: 'deal', fields: { value: -1 } }, 'value: At least 0.'],
  ['an unknown choice', 'propose_update', { kind: 'deal', fields: { stage: 'won' } }, 'stage: Invalid option'],
  [
    'an unknown field',
    'propose_update',
    { kind: 'deal', fields: { color: 'red' } },
    'color: This field is not known. The fields are title,',
  ],
  [
    'an id for a new record',
    'propose_create',
    { kind: 'deal', records: [{ title: 'Bar', id: '01930000-0000-7000-8000-000000000001' }] },
    'id: This field',
  ],
  ['a missing field', 'propose_create', { kind: 'contact', records: [{ first_name: 'Ann' }] }, 'last_name:'],
  [
    'a link to a missing record',
    'propose_create',
    { kind: 'deal', records: [{ title: 'Bar', contact_id: '01930000-0000-7000-8000-000000000001' }] },
    'contact_id: There is no contact with this id.',
  ],
  ['text that cannot be stored', 'propose_update', { kind: 'deal', fields: { description: 'a\0b' } }, 'description: This text holds'],
  ['no tag', 'propose_tag', { kind: 'deal' }, 'add: Enter a tag to add or to remove.'],
])('%s is answered with a sentence about the field, and nothing is proposed', async (_name, tool, input, message) => {
  const selected = tool === 'propose_create' ? {} : { records: [shelves.id] }
  await expect(tools.call(tool, { ...input, ...selected })).rejects.toThrow(message)
  expect(tools.toolState.items).toEqual([])
  expect(tools.steps).toMatchObject([{ is_failed: true }])
})

test('the step of a failed call says that nothing was proposed', async () => {
  const records = ['01930000-0000-7000-8000-000000000001']
  const calls: [string, object, string][] = [
    ['propose_create', { kind: 'company', records: [{ name: '' }] }, 'name: Enter'],
    ['propose_update', { kind: 'company', records, fields: { name: 'Harrowmere' } }, 'There is nothing here'],
    ['propose_delete', { kind: 'company', records }, 'There is nothing here'],
    ['propose_tag', { kind: 'company', records, add: ['Oak'] }, 'There is nothing here'],
  ]
  for (const [tool, input, message] of calls) await expect(tools.call(tool, input)).rejects.toThrow(message)
  expect(tools.steps).toMatchObject([
    { text: 'Could not propose to add companies', is_failed: true },
    { text: 'Could not propose to change companies', is_failed: true },
    { text: 'Could not propose to delete companies', is_failed: true },
    { text: 'Could not propose to tag companies', is_failed: true },
  ])
})

test('a call with one wrong record proposes none of its changes', async () => {
  await expect(tools.call('propose_create', { kind: 'deal', records: [{ title: 'Bar' }, { title: '' }] })).rejects.toThrow(
    'title: Enter a title',
  )
  await expect(tools.call('propose_update', { kind: 'deal', records: [shelves.id, imara.id], fields: { value: 1 } })).rejects.toThrow(
    'There is nothing here',
  )
  expect(tools.toolState.items).toEqual([])
})

test('a long title is not cut in the middle of a character', async () => {
  await tools.call('propose_create', {
    kind: 'note',
    records: [{ contact_id: imara.id, content: `${'x'.repeat(99)}🙂${'y'.repeat(300)}` }],
  })
  expect(tools.toolState.items[0]?.title.isWellFormed()).toBe(true)
})

test('more than 200 changes are refused', async () => {
  const records = Array.from({ length: 150 }, (_, number) => ({ title: `Task ${number}` }))
  await tools.call('propose_create', { kind: 'task', records })
  await expect(tools.call('propose_create', { kind: 'task', records })).rejects.toThrow('too many')
  expect(tools.toolState.items).toHaveLength(150)
})

test('records of another owner cannot be changed or linked', async () => {
  const grace = openTools(app, await signInAs(app, 'grace'))
  await expect(grace.call('propose_update', { kind: 'deal', records: [shelves.id], fields: { value: 1 } })).rejects.toThrow('not yours')
  await expect(grace.call('propose_delete', { kind: 'deal', records: [shelves.id] })).rejects.toThrow('not yours')
  await expect(grace.call('propose_create', { kind: 'deal', records: [{ title: 'Bar', contact_id: imara.id }] })).rejects.toThrow(
    'There is no contact with this id',
  )
  expect(grace.toolState.items).toEqual([])
})
