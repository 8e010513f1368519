import parsePhoneNumber, { isSupportedCountry } from 'libphonenumber-js'

/** A number as E.164 (`+442079460118`), read in this country when it names none; empty when it is no possible number. */
export function phoneKey(phone: string, country: string): string {
  const digits = phone.replaceAll(/\D/g, '')
  if (digits.length < 5) return ''
  const found = parsePhoneNumber(phone, isSupportedCountry(country) ? country : undefined)
  return found?.isPossible() ? found.number : ''
}

/** Whether the number begins with a plus, so that it is the same in every country. */
export const namesCountry = (phone: string): boolean => /^[^\d+]*\+/.test(phone)
