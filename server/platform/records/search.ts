/** Returns LIKE patterns that must all match after the database has removed case and accents from both sides. */
export const searchPatterns = (search: string): string[] => searchWords(search).map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`)

/** Returns the words of a search. A phone number in any format is one word of digits. */
export function searchWords(search: string): string[] {
  const text = search.trim()
  if (text === '') return []
  if (/^\+?[\d\s().\-/]*\d[\d\s().\-/]*$/.test(text)) return [significantDigits(text)]
  return text.split(/\s+/)
}

/** Removes leading zeros, so that both `020 7946 0118` and `0044 20 7946 0118` are substrings of `442079460118`. */
function significantDigits(text: string): string {
  const digits = text.replaceAll(/\D/g, '')
  return digits.length < 6 ? digits : digits.replace(/^0+/, '')
}
