import { afterEach, expect, test } from 'vitest'
import {
  formatNumber,
  formatCount,
  formatRelativeDay,
  formatDaysFromNow,
  countDaysUntil,
  formatExactDay,
  formatExactTime,
  setRegion,
  formatFileSize,
  formatMoney,
  formatCompactDay,
  formatPlannedTime,
  formatRelativeTime,
  getToday,
} from './format.ts'

const now = Date.parse('2026-11-21T12:00:00Z')

afterEach(() => setRegion({ timezone: 'UTC', country: '', currency: 'EUR' }))

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
])('the time %s is shown as %s', (at, text) => {
  expect(formatRelativeTime(at, now)).toBe(text)
})

test.each([
  ['2026-11-28T09:00:00Z', '2026-11-29T08:00:00Z', '23 hours ago'],
  ['2026-11-28T07:00:00Z', '2026-11-29T08:00:00Z', 'yesterday'],
  ['2026-11-27T21:00:00Z', '2026-11-29T08:00:00Z', '2 days ago'],
  ['2026-12-01T01:00:00Z', '2026-11-29T23:00:00Z', 'in 2 days'],
  ['2026-11-22T20:00:00Z', '2026-11-29T08:00:00Z', '22 Nov'], // seven days before, although less than 168 hours
])('the time %s, seen at %s, is shown as %s: from 24 hours away, calendar days count', (at, current, text) => {
  setRegion({ timezone: 'Europe/London', country: 'GB', currency: 'GBP' })
  expect(formatRelativeTime(at, Date.parse(current))).toBe(text)
})

test('from 24 hours away, the day of a time is counted in the time zone of the profile', () => {
  const evening = Date.parse('2026-11-21T23:30:00Z') // in Tokyo it is the morning of 22 November
  const at = '2026-11-20T14:50:00Z' // in Tokyo 23:50 on the same day
  setRegion({ timezone: 'Europe/London', country: 'GB', currency: 'GBP' })
  expect(formatRelativeTime(at, evening)).toBe('yesterday')
  setRegion({ timezone: 'Asia/Tokyo', country: 'JP', currency: 'JPY' })
  expect(formatRelativeTime(at, evening)).toBe('2 days ago')
})

test.each([
  ['2026-11-21T11:00:20Z', '1 hour ago'], // and not 60 minutes ago
  ['2026-11-20T12:20:00Z', 'yesterday'], // and not 24 hours ago
  ['2026-11-21T12:59:40Z', 'in 1 hour'],
])('the time %s, which is rounded to a whole hour or day, is shown as %s', (at, text) => {
  expect(formatRelativeTime(at, now)).toBe(text)
})

test.each([
  ['2026-11-21T12:00:20Z', 'in a moment'],
  ['2026-11-21T11:50:00Z', 'in a moment'],
  ['2026-11-21T12:01:00Z', 'in 1 minute'],
  ['2026-11-21T14:00:00Z', 'in 2 hours'],
])('the planned time %s, which may be late, is shown as %s', (at, text) => {
  expect(formatPlannedTime(at, now)).toBe(text)
})

test('exact times are shown in the time zone of the profile, and numbers in the style of its country', () => {
  setRegion({ timezone: 'Asia/Tokyo', country: 'US', currency: 'USD' })
  expect(formatExactTime('2026-11-21T20:00:00Z')).toMatch(/Sunday, November 22, 2026.* 5:00:00.AM/)
  expect(formatNumber(1284)).toBe('1,284')
  setRegion({ timezone: 'Europe/Berlin', country: 'DE', currency: 'EUR' })
  expect(formatExactTime('2026-11-21T20:00:00Z')).toMatch(/Saturday.* 21 November 2026.* 21:00:00/)
})

test('whether the year is shown depends on the current year in the time zone of the profile', () => {
  const newYear = Date.parse('2027-01-20T12:00:00Z')
  expect(formatRelativeTime('2026-12-31T12:00:00Z', newYear)).toBe('31 Dec 2026')
  setRegion({ timezone: 'Pacific/Auckland', country: 'NZ', currency: 'NZD' })
  expect(formatRelativeTime('2026-12-31T12:00:00Z', newYear)).toBe('1 Jan')
})

test('an unknown time zone is ignored', () => {
  setRegion({ timezone: 'Moon/Tranquility', country: 'GB', currency: 'GBP' })
  expect(formatExactTime('2026-11-21T20:00:00Z')).toContain('2026')
})

test.each([
  ['2026-11-21', 'Today', 0],
  ['2026-11-20', 'Yesterday', -1],
  ['2026-11-22', 'Tomorrow', 1],
  ['2026-11-24', 'Tue', 3],
  ['2026-11-19', '19 Nov', -2],
  ['2026-11-28', '28 Nov', 7],
  ['2027-01-04', '4 Jan 2027', 44],
])(
  'as a relative day, the date %s is shown as %s, with the year if it is not the current year, and is %s days away',
  (date, text, days) => {
    expect(formatRelativeDay(date, now)).toBe(text)
    expect(countDaysUntil(date, now)).toBe(days)
  },
)

test.each([
  ['2027-01-15', '15 Jan', 'in 55 days'],
  ['2026-11-20', '20 Nov', 'yesterday'],
  ['2027-11-15', '15 Nov 2027', 'in 359 days'],
])(
  'as a compact day, the date %s is shown as %s, with the year only from 240 days away, and its distance as %s',
  (date, text, distance) => {
    expect(formatCompactDay(date, now)).toBe(text)
    expect(formatDaysFromNow(countDaysUntil(date, now))).toBe(distance)
  },
)

test('today is the current day in the time zone of the profile', () => {
  const lateEvening = Date.parse('2026-11-21T23:30:00Z')
  setRegion({ timezone: 'Europe/Berlin', country: 'DE', currency: 'EUR' })
  expect(getToday(lateEvening)).toBe('2026-11-22')
  expect(formatRelativeDay('2026-11-21', lateEvening)).toBe('Yesterday')
  setRegion({ timezone: 'America/Los_Angeles', country: 'US', currency: 'USD' })
  expect(getToday(lateEvening)).toBe('2026-11-21')
  expect(formatExactDay('2026-11-21')).toBe('Saturday, November 21, 2026')
})

test('money is shown in the currency of the profile, and a whole amount without decimals', () => {
  setRegion({ timezone: 'UTC', country: 'GB', currency: 'GBP' })
  expect(formatMoney(26_400)).toBe('£26,400')
  expect(formatMoney(26_400.5)).toBe('£26,400.50')
  setRegion({ timezone: 'UTC', country: 'GB', currency: 'JPY' })
  expect(formatMoney(1200)).toBe('JP¥1,200')
})

// U+202F is a narrow no-break space
test.each([
  ['DE', 'CHF', 'CHF 12.500,50', 'CHF 26.400', '12.500,5', '1.000,0 KB'],
  ['DE', 'EUR', '€12.500,50', '€26.400', '12.500,5', '1.000,0 KB'],
  ['GB', 'GBP', '£12,500.50', '£26,400', '12,500.5', '1,000.0 KB'],
  ['US', 'USD', '$12,500.50', '$26,400', '12,500.5', '1,000.0 KB'],
  ['CH', 'CHF', "CHF 12'500.50", "CHF 26'400", "12'500.5", "1'000.0 KB"],
  ['FR', 'EUR', '€12\u202f500,50', '€26\u202f400', '12\u202f500,5', '1\u202f000,0 KB'],
])('in %s, money in %s, numbers and sizes have the same separators', (country, currency, money, roundMoney, number, size) => {
  setRegion({ timezone: 'UTC', country, currency })
  // U+00A0 is a no-break space
  expect([formatMoney(12_500.5), formatMoney(26_400)].map((text) => text.replace('\u00a0', ' '))).toEqual([money, roundMoney])
  expect(formatNumber(12_500.5)).toBe(number)
  expect(formatFileSize(1000 * 1024)).toBe(size)
})

test('counts have the singular or plural of the noun', () => {
  expect(formatCount(1, 'contact')).toBe('1 contact')
  expect(formatCount(1284, 'contact')).toBe('1,284 contacts')
  expect(formatCount(2, 'company', 'companies')).toBe('2 companies')
})
