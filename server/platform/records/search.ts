/** Returns the words of a search. A phone number in any format is one word of digits. */
export function splitSearch(search: string): string[] {
  const text = search.trim()
  if (text === '') return []
  // a text that consists only of digits and the separators of phone numbers, with at least one digit
  if (/^\+?[\d\s().\-/]*\d[\d\s().\-/]*$/.test(text)) return [removeLeadingZeros(text)]
  return text.split(/\s+/)
}

/**
 * Returns the digits of a phone number. Removes leading zeros from six digits or more, so that both `020 7946 0118` and `0044 20 7946 0118`
 * are substrings of `442079460118`. Does not remove them if fewer than four digits would remain, as of `000001`, because very many records
 * contain so few digits.
 */
function removeLeadingZeros(text: string): string {
  const digits = text.replaceAll(/\D/g, '')
  return digits.length < 6 ? digits : digits.replace(/^0+(?=[1-9]\d{3})/, '')
}
