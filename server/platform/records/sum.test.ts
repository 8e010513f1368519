// Sums of number fields, over the records that a list's search and filter select.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf, type Query } from '#server/testing/records.ts'

let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await openTestApp()
  ada = await signInAs(app, 'ada')
  const deals = recordsOf(ada, '/api/deals')
  await deals.add({ title: 'Library shelves', value: 100.5, stage: 'lead', probability: 20 })
  await deals.add({ title: 'Library desk', value: 300, stage: 'proposal' })
  await deals.add({ title: 'Bar refit', value: 1000, stage: 'proposal' })
  await deals.add({ title: 'Window seats', stage: 'proposal' })
  await recordsOf(await signInAs(app, 'grace'), '/api/deals').add({ title: 'Library of Grace', value: 7 })
})
afterAll(() => app.stop())

const sum = async (query: Query & { field: string; group_by?: string }, path = '/api/deals') => {
  const response = await recordsOf(ada, path).query('/sum', query)
  return { status: response.statusCode, ...response.json() }
}

test('a sum has the number of records and of values, and the average and the range of the values', async () => {
  expect(await sum({ field: 'value' })).toEqual({
    status: 200,
    rows: [{ group: null, count: 4, with_value: 3, sum: 1400.5, average: 466.83, smallest: 100.5, largest: 1000 }],
  })
})

test('search and filter of the list select the records', async () => {
  expect(await sum({ field: 'value', search: 'library' })).toMatchObject({ rows: [{ count: 2, sum: 400.5 }] })
  expect(await sum({ field: 'value', filter: [{ field: 'stage', is: ['proposal'] }] })).toMatchObject({ rows: [{ count: 3, sum: 1300 }] })
})

test('groups are sorted by their sum, the largest first', async () => {
  const { rows } = await sum({ field: 'value', group_by: 'stage' })
  expect(rows).toMatchObject([
    { group: 'proposal', count: 3, with_value: 2, sum: 1300, average: 650 },
    { group: 'lead', count: 1, sum: 100.5 },
  ])
})

test('without records the sum is 0 and there is no average; with groups there are no rows', async () => {
  expect(await sum({ field: 'employees_count' }, '/api/companies')).toMatchObject({
    rows: [{ group: null, count: 0, sum: 0, average: null, smallest: null, largest: null }],
  })
  expect(await sum({ field: 'value', group_by: 'stage', search: 'nothing like it' })).toMatchObject({ rows: [] })
})

test.each([
  ['a field without numbers', { field: 'title' }],
  ['an unknown field', { field: 'value) from users --' }],
  ['a group that is not a choice', { field: 'value', group_by: 'title' }],
])('%s is refused', async (_name, query) => {
  expect(await sum(query)).toMatchObject({ status: 422, code: 'invalid' })
})

test('companies have no choice field to group by', async () => {
  expect(await sum({ field: 'employees_count', group_by: 'industry' }, '/api/companies')).toMatchObject({ status: 422 })
})
