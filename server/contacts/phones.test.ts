// The key of a phone number is the number in the international format E.164.
import { expect, test } from 'vitest'
import { hasCountryCode, phoneKey } from './phones.ts'

test.each(['+44 20 7946 0118', '(+44) 20 7946 0118', ' +1 212 555 0123', '+49 30 901820'])(
  '%j has a country code, so its key is the same in every country',
  (phone) => {
    expect(hasCountryCode(phone)).toBe(true)
    expect(phoneKey(phone, '')).toMatch(/^\+\d+$/)
    for (const country of ['GB', 'US', 'DE']) expect(phoneKey(phone, country)).toBe(phoneKey(phone, ''))
  },
)

test.each(['020 7946 0118', '0044 20 7946 0118', '11 + 12345678'])(
  '%j has no country code, because no plus is before its first digit',
  (phone) => {
    expect(hasCountryCode(phone)).toBe(false)
  },
)
