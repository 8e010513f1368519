import { afterEach, expect, test } from 'vitest'
import { count, countOf, exactTime, formatFor, relativeTime } from './format.ts'

const now = Date.parse('2026-11-21T12:00:00Z')

afterEach(() => formatFor({ timezone: 'UTC', country: '' }))

test.each([
  ['2026-11-21T11:59:40Z', 'just now'],
  ['2026-11-21T11:59:00Z', '1 minute ago'],
  ['2026-11-21T11:14:00Z', '46 minutes ago'],
  ['2026-11-21T09:10:00Z', '3 hours ago'],
  ['2026-11-20T12:00:00Z', 'yesterday'],
  ['2026-11-16T12:00:00Z', '5 days ago'],
  ['2026-11-21T14:00:00Z', 'in 2 hours'],
  ['2026-11-02T12:00:00Z', '2 Nov'],
  ['2025-11-02T12:00:00Z', '2 Nov 2025'],
])('%s is told as %s', (at, words) => {
  expect(relativeTime(at, now)).toBe(words)
})

test('exact times are in the zone of the profile, numbers in the style of its country', () => {
  formatFor({ timezone: 'Asia/Tokyo', country: 'US' })
  expect(exactTime('2026-11-21T20:00:00Z')).toMatch(/Sunday, November 22, 2026.* 5:00:00.AM/)
  expect(count(1284)).toBe('1,284')
  formatFor({ timezone: 'Europe/Berlin', country: 'DE' })
  expect(exactTime('2026-11-21T20:00:00Z')).toMatch(/Saturday.* 21 November 2026.* 21:00:00/)
})

test('a zone that the browser does not know does no harm', () => {
  formatFor({ timezone: 'Moon/Tranquility', country: 'GB' })
  expect(exactTime('2026-11-21T20:00:00Z')).toContain('2026')
})

test('one and many', () => {
  expect(countOf(1, 'contact')).toBe('1 contact')
  expect(countOf(1284, 'contact')).toBe('1,284 contacts')
  expect(countOf(2, 'company', 'companies')).toBe('2 companies')
})
