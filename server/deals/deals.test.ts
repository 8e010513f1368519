import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { stageProbabilities, stages } from '#contract/stages.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf, undo, type Query } from '#server/testing/records.ts'

let app: TestApp
let ada: Person
let deals: ReturnType<typeof recordsOf>
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  deals = recordsOf(ada, '/api/deals')
})

const readTotals = async (query: Query = {}) => (await deals.query('/totals', query)).json().stages

test('a new deal has the stage lead, and its other fields are empty', async () => {
  const { id } = await deals.add({ title: ' Engine ' })
  expect(await deals.get(id)).toMatchObject({
    title: 'Engine',
    description: '',
    value: null,
    stage: 'lead',
    probability: null,
    expected_close_date: null,
    contact_id: null,
    contact_name: '',
    company_id: null,
    company_name: '',
    tags: [],
    version: 1,
  })
})

test.each([0, 0.01, 0.29, 19.99, 1234.5, 999_999_999_999.99])('a value of %d is stored exactly', async (value) => {
  const { id } = await deals.add({ title: 'Engine', value })
  expect((await deals.get(id))['value']).toBe(value)
  expect((await deals.list({ filter: [{ field: 'value', from: value, to: value }] })).rows).toMatchObject([{ value }])
})

test('a deal can be moved from any stage to any other, and optional fields can be set to null', async () => {
  const { id } = await deals.add({ title: 'Engine', value: 5, probability: 50, expected_close_date: '2026-12-01' })
  for (const stage of [...stages, ...stages.toReversed()]) expect(await deals.edit(id, { stage })).toMatchObject({ stage })
  const clearedFields = { value: null, probability: null, expected_close_date: null }
  expect(await deals.edit(id, clearedFields)).toMatchObject(clearedFields)
})

test.each([
  [{}, 'title'],
  [{ title: ' ' }, 'title'],
  [{ title: 'A', value: -0.01 }, 'value'],
  [{ title: 'A', value: 1.005 }, 'value'],
  [{ title: 'A', value: '12' }, 'value'],
  [{ title: 'A', value: 1e12 }, 'value'],
  [{ title: 'A', probability: 101 }, 'probability'],
  [{ title: 'A', probability: -1 }, 'probability'],
  [{ title: 'A', probability: 0.5 }, 'probability'],
  [{ title: 'A', stage: 'won' }, 'stage'],
  [{ title: 'A', stage: null }, 'stage'],
  [{ title: 'A', expected_close_date: '2026-02-30' }, 'expected_close_date'],
  [{ title: 'A', expected_close_date: '0000-01-01' }, 'expected_close_date'],
  [{ title: 'A', expected_close_date: '' }, 'expected_close_date'],
  [{ title: 'A', expected_close_date: '0026-11-25' }, 'expected_close_date'],
  [{ title: 'A', expected_close_date: '1899-12-31' }, 'expected_close_date'],
  [{ title: 'A', expected_close_date: '2200-01-01' }, 'expected_close_date'],
  [{ title: 'A', contact_id: 'nonsense' }, 'contact_id'],
  [{ title: 'A', description: 'x'.repeat(20_001) }, 'description'],
  [{ title: 'A', weight: 100 }, 'weight'], // a computed column, which cannot be written
])('%j is refused with a message for %s', async (fields, refusedField) => {
  const response = await deals.post('', fields)
  expect(response.statusCode).toBe(422)
  expect(response.json().fields[refusedField]).toMatch(/\w/)
})

const unknownId = '01930000-0000-7000-8000-00000000ffff'
test.each([
  ['contact_id', 'This contact is no longer here'],
  ['company_id', 'This company is no longer here'],
])('a value of %s is refused if the record does not exist or belongs to another owner', async (field, sentence) => {
  const grace = await signInAs(app, 'grace')
  const contact = await recordsOf(grace, '/api/contacts').add({ first_name: 'Grace', last_name: 'Hopper' })
  const company = await recordsOf(grace, '/api/companies').add({ name: 'Navy' })
  const { id } = await deals.add({ title: 'Engine' })
  for (const link of [unknownId, contact.id, company.id]) {
    for (const response of [await deals.post('', { title: 'A', [field]: link }), await deals.patch(id, { [field]: link })]) {
      expect(response.statusCode).toBe(404)
      expect(response.json()).toMatchObject({ code: 'not_found', fields: { [field]: sentence } })
    }
  }
})

test('a deal shows the current name of its contact, and remains when the contact is deleted', async () => {
  const contacts = recordsOf(ada, '/api/contacts')
  const contact = await contacts.add({ first_name: 'Ann', last_name: 'Lee' })
  const { id } = await deals.add({ title: 'Engine', contact_id: contact.id })
  await contacts.edit(contact.id, { last_name: 'Ray' })
  expect((await deals.list()).rows).toMatchObject([{ contact_name: 'Ann Ray' }])
  const deletion = await contacts.remove(contact.id)
  expect(await deals.get(id)).toMatchObject({ contact_id: null, contact_name: '' })
  await undo(ada, deletion)
  expect(await deals.get(id)).toMatchObject({ contact_id: contact.id, contact_name: 'Ann Ray' })
})

test('totals are zero for every stage without deals, in the order of the board', async () => {
  expect(await readTotals()).toEqual(stages.map((stage) => ({ stage, count: 0, value: 0, forecast: 0 })))
})

test('totals multiply the value of a deal by its own probability, or by the probability of its stage if the deal has none', async () => {
  for (const stage of stages) await deals.add({ title: 'Engine', stage, value: 1000.1 })
  await deals.add({ title: 'Mill', stage: 'lead', value: 200, probability: 100 })
  await deals.add({ title: 'Mill', stage: 'negotiation', value: 200, probability: 0 })
  await deals.add({ title: 'Mill', stage: 'closed-lost' })
  const engines = stages.map((stage) => ({
    stage,
    count: 1,
    value: 1000.1,
    forecast: Math.round(1000.1 * stageProbabilities[stage]) / 100,
  }))
  expect(await readTotals({ search: 'engine' })).toEqual(engines)
  expect(await readTotals({ filter: [{ field: 'title', has: 'eng' }] })).toEqual(engines)
  const totalsByStage = Object.fromEntries((await readTotals()).map(({ stage, ...total }: { stage: string }) => [stage, total]))
  expect(totalsByStage).toMatchObject({
    lead: { count: 2, value: 1200.1, forecast: 300.01 },
    negotiation: { count: 2, value: 1200.1, forecast: 750.08 },
    'closed-lost': { count: 2, value: 1000.1, forecast: 0 },
  })
})

test('totals change when a deal is moved to another stage', async () => {
  const { id } = await deals.add({ title: 'Engine', value: 100 })
  await deals.edit(id, { stage: 'closed-won' })
  expect((await readTotals()).filter(({ count }: { count: number }) => count > 0)).toEqual([
    { stage: 'closed-won', count: 1, value: 100, forecast: 100 },
  ])
})

test('totals contain only deals of the owner', async () => {
  await recordsOf(await signInAs(app, 'grace'), '/api/deals').add({ title: 'Hers', value: 5 })
  expect((await readTotals()).every(({ count }: { count: number }) => count === 0)).toBe(true)
})

test('an edit that changes nothing keeps the version and the place among the last changed deals', async () => {
  const first = await deals.add({ title: 'First', value: 12.5, tags: ['A'] })
  const second = await deals.add({ title: 'Second' })
  const response = await deals.patch(first.id, { title: 'First', value: 12.5, tags: ['A'], version: 1 })
  expect([response.statusCode, response.headers['foyer-change']]).toEqual([200, undefined])
  expect(response.json()).toMatchObject({ version: 1, updated_at: first['updated_at'] })
  const readIds = async () => (await deals.list({ sort: 'changed', order: 'desc' })).rows.map(({ id }) => id)
  expect(await readIds()).toEqual([second.id, first.id])
  expect(await deals.edit(first.id, { tags: ['B'], version: 1 })).toMatchObject({ version: 2 })
  expect(await readIds()).toEqual([first.id, second.id])
})

test('a column of the board lists the most recently changed deals first', async () => {
  const one = await deals.add({ title: 'One' })
  await deals.add({ title: 'Two' })
  await deals.add({ title: 'Won', stage: 'closed-won' })
  await deals.edit(one.id, { description: 'Changed' })
  const query = { filter: [{ field: 'stage', is: ['lead'] }], sort: 'changed', order: 'desc', limit: '1' }
  expect((await deals.listAll(query)).map(({ title }) => title)).toEqual(['One', 'Two'])
})
