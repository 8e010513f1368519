import { expect, test } from 'vitest'
import type { RecordKind } from '#web/records/kind/kind.ts'
import { toListParameters, nextSort, parseListParameters, toListSearch, type ListSearch } from '#web/records/address/listSearch.ts'

const kind: Pick<RecordKind<{ id: string }>, 'sorts' | 'filters' | 'plural' | 'defaultSort'> = {
  plural: 'contacts',
  sorts: [
    { name: 'name', label: 'Name' },
    { name: 'email', label: 'Email' },
  ],
  filters: { mailing_city: 'text', created_at: 'instant' },
}
const byDay = { ...kind, defaultSort: { sort: 'name', order: 'asc' } as const }
const city = { field: 'mailing_city', has: 'Lon' }
const usual: ListSearch = { search: '', filter: [], sort: 'newest', order: 'asc', columns: undefined }

test.each([
  [{}, {}],
  [
    { search: 'ada', sort: 'name', order: 'desc' },
    { search: 'ada', sort: 'name', order: 'desc' },
  ],
  [{ search: 42 }, { search: '42' }],
  [{ search: '  ', sort: 'newest', order: 'desc' }, {}],
  [{ search: { a: 1 }, sort: 'shoe size', order: 3 }, {}],
  [{ sort: 'email', order: 'asc' }, { sort: 'email' }],
  [
    { filter: [city], columns: 'email,phone' },
    { filter: [city], columns: 'email,phone' },
  ],
  [{ filter: [{ field: 'shoe_size', from: 44 }, city, { field: 'created_at', has: 'May' }] }, { filter: [city] }],
  [{ filter: [city, { field: 'mailing_city', empty: true }] }, { filter: [city] }],
  [{ filter: 'all', columns: 7 }, {}],
])('the address %j means %j', (given, meant) => {
  expect(toListParameters(kind, toListSearch(kind, parseListParameters(given)))).toEqual(meant)
})

test('a list with a default order of its own keeps newest first in its address', () => {
  expect(toListSearch(byDay, {})).toMatchObject({ sort: 'name', order: 'asc' })
  expect(toListParameters(byDay, usual)).toEqual({ sort: 'newest' })
  expect(toListSearch(byDay, { sort: 'newest' })).toMatchObject({ sort: 'newest' })
})

test('clicks on a column head sort ascending, then descending, then by default', () => {
  const up = { ...usual, ...nextSort(kind, usual, 'name') }
  const down = { ...up, ...nextSort(kind, up, 'name') }
  expect([up, down].map(({ sort, order }) => [sort, order])).toEqual([
    ['name', 'asc'],
    ['name', 'desc'],
  ])
  expect([nextSort(kind, down, 'name'), nextSort(kind, down, 'email')]).toEqual([
    { sort: 'newest', order: 'asc' },
    { sort: 'email', order: 'asc' },
  ])
})
