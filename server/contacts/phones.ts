import parsePhoneNumber, { isSupportedCountry } from 'libphonenumber-js'

/** The minimum length of a phone number that gets a key. Different people share shorter numbers, such as extensions. */
const minDigits = 5

/**
 * Returns the key of a phone number: the number in the international format E.164 (`+442079460118`). `country` applies to numbers without a
 * country code. Returns '' for an impossible number, and for one with fewer than five digits.
 */
export function phoneKey(phone: string, country: string): string {
  const digits = phone.replaceAll(/\D/g, '')
  if (digits.length < minDigits) return ''
  const parsed = parsePhoneNumber(phone, isSupportedCountry(country) ? country : undefined)
  return parsed?.isPossible() ? parsed.number : ''
}

/** Whether the number has a plus before its first digit, so that its key does not depend on the owner's country. */
export const hasCountryCode = (phone: string): boolean => /^[^\d+]*\+/.test(phone)
