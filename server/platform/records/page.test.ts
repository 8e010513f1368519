import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { writeCursor } from '#server/platform/database/cursor.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
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

/** `nameField`: the field with the name. `sorts`: the names in the expected order, ascending and descending. */
type Kind = { path: string; nameField: string; records: Record<string, unknown>[]; sorts: [sort: string, asc: string, desc: string][] }

/**
 * Five records of each kind with the same names, in the order of their creation. Only Zoo, Ämter and berg have values in other fields, but
 * a task without a priority gets `medium`. Zoo and berg have equal values (except emails), so they are sorted by the time of their
 * creation. By name, "berg" comes before "Berg". The sort `newest` has only one order, so both of its results are the same.
 */
const kinds: Kind[] = [
  {
    path: '/api/contacts',
    nameField: 'first_name',
    records: [
      { first_name: 'Zoo', email: 'b@example.org', company: 'Law' },
      { first_name: 'alm' },
      { first_name: 'Ämter', email: 'A@example.org', company: 'bakery' },
      { first_name: 'Berg' },
      { first_name: 'berg', email: 'c@example.org', company: 'Law' },
    ].map((fields) => ({ ...fields, last_name: 'Example' })),
    sorts: [
      ['newest', 'berg Berg Ämter alm Zoo', 'berg Berg Ämter alm Zoo'],
      ['name', 'alm Ämter berg Berg Zoo', 'Zoo Berg berg Ämter alm'],
      ['email', 'Ämter Zoo berg alm Berg', 'berg Zoo Ämter Berg alm'],
      ['company', 'Ämter Zoo berg alm Berg', 'berg Zoo Ämter Berg alm'],
    ],
  },
  {
    path: '/api/companies',
    nameField: 'name',
    records: [
      { name: 'Zoo', industry: 'Law', employees_count: 5 },
      { name: 'alm' },
      { name: 'Ämter', industry: 'bakery', employees_count: 0 },
      { name: 'Berg' },
      { name: 'berg', industry: 'Law', employees_count: 5 },
    ],
    sorts: [
      ['newest', 'berg Berg Ämter alm Zoo', 'berg Berg Ämter alm Zoo'],
      ['name', 'alm Ämter berg Berg Zoo', 'Zoo Berg berg Ämter alm'],
      ['industry', 'Ämter Zoo berg alm Berg', 'berg Zoo Ämter Berg alm'],
      ['employees_count', 'Ämter Zoo berg alm Berg', 'berg Zoo Ämter Berg alm'],
    ],
  },
  {
    path: '/api/deals',
    nameField: 'title',
    records: [
      { title: 'Zoo', value: 10.5, expected_close_date: '2026-12-01' },
      { title: 'alm' },
      { title: 'Ämter', value: 9.99, expected_close_date: '2025-12-31' },
      { title: 'Berg' },
      { title: 'berg', value: 10.5, expected_close_date: '2026-12-01' },
    ],
    sorts: [
      ['newest', 'berg Berg Ämter alm Zoo', 'berg Berg Ämter alm Zoo'],
      ['title', 'alm Ämter berg Berg Zoo', 'Zoo Berg berg Ämter alm'],
      ['value', 'Ämter Zoo berg alm Berg', 'berg Zoo Ämter Berg alm'],
      ['expected_close_date', 'Ämter Zoo berg alm Berg', 'berg Zoo Ämter Berg alm'],
      ['changed', 'Zoo alm Ämter Berg berg', 'berg Berg Ämter alm Zoo'],
    ],
  },
  {
    path: '/api/tasks',
    nameField: 'title',
    records: [
      { title: 'Zoo', due_date: '2026-12-01', priority: 'low' },
      { title: 'alm' },
      { title: 'Ämter', due_date: '2025-12-31', priority: 'high' },
      { title: 'Berg' },
      { title: 'berg', due_date: '2026-12-01', priority: 'low' },
    ],
    sorts: [
      ['newest', 'berg Berg Ämter alm Zoo', 'berg Berg Ämter alm Zoo'],
      ['title', 'alm Ämter berg Berg Zoo', 'Zoo Berg berg Ämter alm'],
      ['due_date', 'Ämter Zoo berg alm Berg', 'berg Zoo Ämter Berg alm'],
      ['priority', 'Zoo berg alm Berg Ämter', 'Ämter Berg alm berg Zoo'],
    ],
  },
]

/** Pages of one, two or all five records: each cursor, a last page that is not full, and one that is. FOYER_FULL=1 tries all sizes. */
const pageSizes = process.env['FOYER_FULL'] === '1' ? ['1', '2', '3', '4', '5', '6'] : ['1', '2', '5']

describe.each(kinds)('$path', ({ path, nameField, records, sorts }) => {
  test('the list is sorted in both orders, with empty values last, for all page sizes, with and without a filter', async () => {
    const client = recordsOf(ada, path)
    for (const fields of records) await client.add(fields)
    for (const [sort, asc, desc] of sorts) {
      for (const limit of pageSizes) {
        for (const [order, names] of Object.entries({ asc, desc })) {
          const filter = [{ field: 'created_at', from: '2020-01-01' }]
          const query = { sort, order, limit }
          const unfiltered = (await client.listAll(query)).map((row) => row[nameField]).join(' ')
          const filtered = (await client.listAll({ ...query, filter })).map((row) => row[nameField]).join(' ')
          expect([unfiltered, filtered], `${sort} ${order} by ${limit}`).toEqual([names, names])
        }
      }
    }
  })

  test('the list returns 422 or a page, but no server error, for the cursor of another list and for invalid cursors', async () => {
    const id = '01930000-0000-7000-8000-00000000ffff'
    // sort values for cursors: valid ones of some types, and numbers, dates, times and a character that no column can have
    const keys = [
      'x',
      '1e5',
      '-1',
      '99999999999',
      'NaN',
      '2026-02-30',
      '0000-01-01',
      '2026-11-21 24:61:00+00',
      '2026-02-30 10:00:00+00',
      '\ud800',
    ]
    for (const [sort] of sorts) {
      for (const key of keys) {
        const response = await recordsOf(ada, path).query('', { sort, after: writeCursor([key, id]) })
        expect([200, 422], `${sort} ${key}: ${response.body}`).toContain(response.statusCode)
        if (response.statusCode === 422) expect(response.json().fields).toHaveProperty('after')
      }
    }
    expect((await recordsOf(ada, path).query('', { after: 'nonsense' })).json().fields).toHaveProperty('after')
  })
})

test('a count is exact up to 1,000, with and without a filter', async () => {
  const deals = recordsOf(ada, '/api/deals')
  await app.tableOwner.query(
    `begin; select set_config('app.owner', '${ada.id}', true), set_config('app.actor', 'user:${ada.id}', true);
     insert into deals (user_id, title, value) select '${ada.id}', 'Deal ' || n, n from generate_series(1, 1001) n; commit`,
  )
  expect((await deals.query('/count')).json()).toEqual({ count: 1000, more: true })
  expect((await deals.query('/count', { filter: [{ field: 'value', from: 2 }] })).json()).toEqual({ count: 1000, more: false })
  expect((await deals.query('/count', { filter: [{ field: 'value', to: 7 }], search: 'deal' })).json()).toEqual({ count: 7, more: false })
})
