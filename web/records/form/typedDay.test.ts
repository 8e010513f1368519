import { afterEach, expect, test, vi } from 'vitest'
import { queries } from '#web/lib/queries.ts'
import { sessionQuery } from '#web/lib/session.ts'
import { nora } from '#web/testing.ts'
import { describeDayFormat, formatTypedDay, getDayFormat, getDayPlaceholder, parseTypedDay } from './typedDay.ts'

const setCountry = (country: string): void =>
  void queries.setQueryData(sessionQuery.queryKey, { ...nora, profile: { ...nora.profile, country } })

afterEach(() => vi.useRealTimers())

test.each([
  ['GB', '31/12/2026', 'dd/mm/yyyy'],
  ['US', '12/31/2026', 'mm/dd/yyyy'],
  ['DE', '31.12.2026', 'dd.mm.yyyy'],
  ['NL', '31-12-2026', 'dd-mm-yyyy'],
  ['SE', '2026-12-31', 'yyyy-mm-dd'],
  ['HU', '2026.12.31', 'yyyy.mm.dd'],
  ['JP', '2026/12/31', 'yyyy/mm/dd'],
  // Iran and Saudi Arabia have other calendars and digits, but dates are typed in the Gregorian calendar with the digits 0 to 9
  ['IR', '2026/12/31', 'yyyy/mm/dd'],
  ['SA', '31/12/2026', 'dd/mm/yyyy'],
  ['', '31/12/2026', 'dd/mm/yyyy'], // a profile without a country
])('for the country %j the last day of 2026 is written as %s', (country, text, placeholder) => {
  setCountry(country)
  expect(formatTypedDay('2026-12-31')).toBe(text)
  expect(parseTypedDay(text)).toBe('2026-12-31')
  expect(getDayPlaceholder()).toBe(placeholder)
})

test.each([
  ['DE', '1.2.2026', '2026-02-01'],
  ['DE', ' 01 / 02 / 26 ', '2026-02-01'],
  ['DE', '1 2 2026', '2026-02-01'],
  ['US', '1.2.2026', '2026-01-02'],
  ['SE', '26-2-1', '2026-02-01'],
  ['HU', '2026. 02. 01.', '2026-02-01'],
  ['US', '2026-02-01', '2026-02-01'],
  ['GB', '2026/2/1', '2026-02-01'],
])('for the country %s the text %j is parsed as %s', (country, text, day) => {
  setCountry(country)
  expect(parseTypedDay(text)).toBe(day)
})

test.each([
  ['DE', '12/31/2026'],
  ['US', '31.12.2026'],
  ['SE', '31.12.2026'],
  ['DE', '29.2.2026'], // not a leap year
  ['DE', '1.2.202'],
  ['DE', '1.2'],
  ['DE', '01022026'],
  ['DE', 'Friday'],
])('for the country %s the text %j is no date', (country, text) => {
  setCountry(country)
  expect(parseTypedDay(text)).toBeUndefined()
  expect(formatTypedDay(text)).toBe(text)
})

test('the message for a text that is no date contains the order of the parts, and an example whose day cannot be taken for a month', () => {
  vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z'), toFake: ['Date'] })
  setCountry('US')
  expect(describeDayFormat()).toBe('Enter a date as month/day/year, like 12/31/2026')
  setCountry('DE')
  expect(describeDayFormat()).toBe('Enter a date as day.month.year, like 31.12.2026')
})

test('the order of day, month and year and the separator between them are those of the country', () => {
  setCountry('US')
  expect(getDayFormat()).toEqual({ order: ['month', 'day', 'year'], separator: '/' })
  setCountry('DE')
  expect(getDayFormat()).toEqual({ order: ['day', 'month', 'year'], separator: '.' })
})
