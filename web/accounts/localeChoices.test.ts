import { expect, test } from 'vitest'
import { listCountries, listCurrencies, listTimezones } from './localeChoices.ts'

const values = (choices: { value: string }[]): string[] => choices.map(({ value }) => value)

test('the list of countries excludes retired codes and unions', () => {
  const choices = values(listCountries())
  expect(choices).toEqual(expect.arrayContaining(['GB', 'DE', 'US', 'JP', 'XK', 'ZA']))
  for (const other of ['EU', 'ZZ', 'SU', 'DD', 'YU', 'UN', 'XA']) expect(choices).not.toContain(other)
  expect(choices.length).toBeGreaterThan(240)
  expect(choices.length).toBeLessThan(255)
})

test('the list of currencies contains current currencies and the selected currency', () => {
  const choices = values(listCurrencies('DEM'))
  expect(choices).toEqual(expect.arrayContaining(['GBP', 'EUR', 'USD', 'XOF', 'DEM']))
  for (const other of ['XAU', 'XTS', 'XXX']) expect(choices).not.toContain(other)
})

test('time zones have their offset from GMT, and the selected zone is included', () => {
  const choices = listTimezones('Asia/Calcutta')
  expect(choices[0]).toEqual({ value: 'UTC', label: expect.stringContaining('UTC') })
  expect(choices).toContainEqual({ value: 'Asia/Tokyo', label: 'Asia/Tokyo (GMT+9)' })
  expect(values(choices)).toContain('Asia/Calcutta')
  expect(new Set(values(choices)).size).toBe(choices.length)
})
