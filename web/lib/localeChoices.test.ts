import { expect, test } from 'vitest'
import { listCountries, listCurrencies, listTimezones } from './localeChoices.ts'

const getValues = (choices: { value: string }[]): string[] => choices.map(({ value }) => value)

test('the list of countries excludes retired codes and unions', () => {
  const choices = getValues(listCountries())
  expect(choices).toEqual(expect.arrayContaining(['GB', 'DE', 'US', 'JP', 'XK', 'ZA']))
  // SU, DD and YU are retired, EU and UN are unions, ZZ and XA are test codes
  for (const other of ['EU', 'ZZ', 'SU', 'DD', 'YU', 'UN', 'XA']) expect(choices).not.toContain(other)
  expect(choices.length).toBeGreaterThan(240)
  expect(choices.length).toBeLessThan(255)
})

test('the list of currencies contains all current currencies, and the selected currency even if it is a former one', () => {
  const choices = getValues(listCurrencies('DEM'))
  expect(choices).toEqual(expect.arrayContaining(['GBP', 'EUR', 'USD', 'XOF', 'DEM']))
  for (const other of ['XAU', 'XTS', 'XXX']) expect(choices).not.toContain(other) // gold, a test code and "no currency"
})

test('the list of time zones shows the offset from GMT and includes the selected zone', () => {
  const choices = listTimezones('Asia/Calcutta') // the outdated name of Asia/Kolkata
  expect(choices[0]).toEqual({ value: 'UTC', label: expect.stringContaining('UTC') })
  expect(choices).toContainEqual({ value: 'Asia/Tokyo', label: 'Asia/Tokyo (GMT+9)' })
  expect(getValues(choices)).toContain('Asia/Calcutta')
  expect(new Set(getValues(choices)).size).toBe(choices.length)
})
