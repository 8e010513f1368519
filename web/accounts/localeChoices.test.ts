import { expect, test } from 'vitest'
import { countries, currencies, timezones } from './localeChoices.ts'

const values = (choices: { value: string }[]): string[] => choices.map(({ value }) => value)

test('countries are the current ones, without retired codes and unions', () => {
  const found = values(countries())
  expect(found).toEqual(expect.arrayContaining(['GB', 'DE', 'US', 'JP', 'XK', 'ZA']))
  for (const other of ['EU', 'ZZ', 'SU', 'DD', 'YU', 'UN', 'XA']) expect(found).not.toContain(other)
  expect(found.length).toBeGreaterThan(240)
  expect(found.length).toBeLessThan(255)
})

test('currencies are those in use, and the chosen one even if it is not', () => {
  const found = values(currencies('DEM'))
  expect(found).toEqual(expect.arrayContaining(['GBP', 'EUR', 'USD', 'XOF', 'DEM']))
  for (const other of ['XAU', 'XTS', 'XXX']) expect(found).not.toContain(other)
})

test('time zones show their offset from GMT, and the chosen zone is included', () => {
  const found = timezones('Asia/Calcutta')
  expect(found[0]).toEqual({ value: 'UTC', label: expect.stringContaining('UTC') })
  expect(found).toContainEqual({ value: 'Asia/Tokyo', label: 'Asia/Tokyo (GMT+9)' })
  expect(values(found)).toContain('Asia/Calcutta')
  expect(new Set(values(found)).size).toBe(found.length)
})
