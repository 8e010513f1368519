import { expect, test } from 'vitest'
import type { RecordKind } from '#web/records/kind/kind.ts'
import { toListParameters, getNextSort, parseListParameters, toListSettings, type ListSettings } from '#web/records/address/listSettings.ts'

const kind: Pick<RecordKind<{ id: string }>, 'sorts' | 'filters' | 'plural' | 'defaultSort'> = {
  plural: 'contacts',
  sorts: [
    { name: 'name', label: 'Name' },
    { name: 'email', label: 'Email' },
  ],
  filters: { mailing_city: 'text', created_at: 'instant' },
}
const kindSortedByName = { ...kind, defaultSort: { sort: 'name', order: 'asc' } as const }
const cityFilter = { field: 'mailing_city', has: 'Lon' }
/** The sort `newest` always has the order `asc`, although it shows the newest record first. */
const newestFirst: ListSettings = { search: '', filter: [], sort: 'newest', order: 'asc', columns: undefined }

test.each([
  [{}, {}],
  [
    { search: 'ada', sort: 'name', order: 'desc' },
    { search: 'ada', sort: 'name', order: 'desc' },
  ],
  [{ search: 42 }, { search: '42' }],
  [{ search: '  ', sort: 'newest', order: 'desc' }, {}],
  [{ search: { a: 1 }, sort: 'unknown_sort', order: 3 }, {}],
  [{ sort: 'email', order: 'asc' }, { sort: 'email' }],
  [
    { filter: [cityFilter], columns: 'email,phone' },
    { filter: [cityFilter], columns: 'email,phone' },
  ],
  // a condition is dropped if its field is unknown, or if the type of its field does not allow it: an instant cannot contain a text
  [{ filter: [{ field: 'unknown_field', from: 44 }, cityFilter, { field: 'created_at', has: 'May' }] }, { filter: [cityFilter] }],
  // a second condition on the same field is dropped
  [{ filter: [cityFilter, { field: 'mailing_city', empty: true }] }, { filter: [cityFilter] }],
  [{ filter: 'all', columns: 7 }, {}],
])('the URL parameters %j are reduced to the valid ones that are not defaults: %j', (parameters, expected) => {
  expect(toListParameters(kind, toListSettings(kind, parseListParameters(parameters)))).toEqual(expected)
})

test('the URL of a list contains the sort `newest` if the user selects it and the list has another default sort', () => {
  expect(toListSettings(kindSortedByName, {})).toMatchObject({ sort: 'name', order: 'asc' })
  expect(toListParameters(kindSortedByName, newestFirst)).toEqual({ sort: 'newest' })
  expect(toListSettings(kindSortedByName, { sort: 'newest' })).toMatchObject({ sort: 'newest' })
})

test('the first click on a column header sorts ascending, the second sorts descending, and the third restores the default sort', () => {
  const ascending = { ...newestFirst, ...getNextSort(kind, newestFirst, 'name') }
  const descending = { ...ascending, ...getNextSort(kind, ascending, 'name') }
  expect([ascending, descending].map(({ sort, order }) => [sort, order])).toEqual([
    ['name', 'asc'],
    ['name', 'desc'],
  ])
  expect([getNextSort(kind, descending, 'name'), getNextSort(kind, descending, 'email')]).toEqual([
    { sort: 'newest', order: 'asc' },
    { sort: 'email', order: 'asc' },
  ])
})
