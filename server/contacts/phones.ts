import parsePhoneNumber, { isSupportedCountry } from 'libphonenumber-js'

/** Formats a number as E.164 (`+442079460118`). `country` applies to numbers without a country code. Returns '' for an impossible number. */
export function phoneKey(phone: string, country: string): string {
  const digits = phone.replaceAll(/\D/g, '')
  if (digits.length < 5) return ''
  const found = parsePhoneNumber(phone, isSupportedCountry(country) ? country : undefined)
  return found?.isPossible() ? found.number : ''
}

/** Whether the number begins with a plus, so that its key does not depend on the country. */
export const namesCountry = (phone: string): boolean => /^[^\d+]*\+/.test(phone)
