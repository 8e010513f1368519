import { afterEach, expect, test } from 'vitest'
import { setRegion } from '#web/lib/format.ts'
import { parseNumber } from '#web/lib/numbers.ts'
import { toFormValue } from './fields.ts'

afterEach(() => setRegion({ timezone: 'UTC', country: 'GB', currency: 'EUR' }))

test.each([
  ['GB', 14_800.5, '14,800.50'],
  ['GB', 26_400, '26,400'],
  ['GB', 0.05, '0.05'],
  ['GB', 60, '60'],
  ['DE', 14_800.5, '14.800,50'],
  ['CH', 14_800.5, "14'800.50"],
  ['IN', 1_480_000.5, '1480000.50'], // the usual text 14,80,000.50 would not be parsed as a number
  ['GB', 999_999_999_999.99, '999,999,999,999.99'],
])('a number field in %s shows %d as %s, which is parsed as the same number', (country, number, text) => {
  setRegion({ timezone: 'UTC', country, currency: 'EUR' })
  expect(toFormValue(number)).toBe(text)
  expect(parseNumber(text)).toBe(number)
})
