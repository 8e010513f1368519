import { expect, test } from 'vitest'
import { nextSort, readSearch, type Search } from './search.ts'

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
])('the address %j is read as %j', (given, read) => {
  expect(readSearch(given)).toEqual(read)
})

test('a head leads up, down and back to newest first', () => {
  const start: Search = { search: '', sort: 'newest', order: 'asc' }
  const up = { ...start, ...nextSort(start, 'company') }
  const down = { ...up, ...nextSort(up, 'company') }
  expect([up, down, nextSort(down, 'company'), nextSort(down, 'name')]).toEqual([
    { search: '', sort: 'company', order: 'asc' },
    { search: '', sort: 'company', order: 'desc' },
    { sort: 'newest', order: 'asc' },
    { sort: 'name', order: 'asc' },
  ])
})
