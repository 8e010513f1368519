import { afterEach, expect, test } from 'vitest'
import { setRegion } from './format.ts'
import { describeNumberFormat, parseNumber } from './numbers.ts'

afterEach(() => setRegion({ timezone: 'UTC', country: '', currency: 'EUR' }))

// a single point or comma before exactly three digits separates thousands, except after a leading zero or more than three digits
test.each([
  ['1284', 1284],
  ['1,284', 1284],
  ['1,284.50', 1284.5],
  ['1.284,50', 1284.5],
  ['1250,50', 1250.5],
  ['12,5', 12.5],
  ['12.5', 12.5],
  ['1 284,5', 1284.5],
  ["1'284.5", 1284.5],
  ['12.500.000', 12_500_000],
  ['1.250', 1250],
  ['-12.500', -12_500],
  ['1.25', 1.25],
  ['1250.125', 1250.125],
  ['0.125', 0.125],
  ['0,125', 0.125],
  ['-3', -3],
  [',5', 0.5],
])('%s is parsed as %d', (text, number) => {
  expect(parseNumber(text)).toBe(number)
})

test.each(['', 'abc', '1,2,3', '12.50.1', '1,284,50', '--1', '1e5', '.', '1.284,50,1', 'Infinity', '0x10'])(
  '%j is not a number',
  (text) => {
    expect(parseNumber(text)).toBeUndefined()
  },
)

test.each([
  ['DE', '1.284,50'],
  ['GB', '1,284.50'],
  ['US', '1,284.50'],
  ['CH', "1'284.50"],
  ['FR', '1\u202f284,50'],
])('the message for wrong numbers in %s has the example %s, which is parsed as a number', (country, example) => {
  setRegion({ timezone: 'UTC', country, currency: 'CHF' })
  expect(describeNumberFormat()).toBe(`Enter a number like ${example}`)
  expect(parseNumber(example)).toBe(1284.5)
})
