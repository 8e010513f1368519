import { expect, test } from 'vitest'
import { checkedNext } from './next.ts'

test.each([
  ['/crm/contacts?search=ada#top', '/crm/contacts?search=ada#top'],
  [undefined, '/dashboard'],
  ['', '/dashboard'],
  ['/', '/dashboard'],
  ['/auth?next=/auth', '/dashboard'],
  ['dashboard', '/dashboard'],
  ['//evil.example/x', '/dashboard'],
  ['/\\evil.example', '/dashboard'],
  ['/\t/evil.example', '/dashboard'],
  ['/.//evil.example', '/dashboard'],
  ['/crm/..//evil.example', '/dashboard'],
  ['https://evil.example', '/dashboard'],
  ['javascript:alert(1)', '/dashboard'],
])('after signing in, next=%j leads to %s', (next, path) => {
  expect(checkedNext(next, 'https://foyer.example')).toBe(path)
})
