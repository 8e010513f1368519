/** The LIKE patterns that all must match. The database folds case and accents on both sides. */
export const searchPatterns = (search: string): string[] => searchWords(search).map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`)

/** The words of a search; one of digits for the whole when it is a phone number in any format. */
export function searchWords(search: string): string[] {
  const text = search.trim()
  if (text === '') return []
  if (/^\+?[\d\s().\-/]*\d[\d\s().\-/]*$/.test(text)) return [significantDigits(text)]
  return text.split(/\s+/)
}

/** `020 7946 0118` and `0044 20 7946 0118` are both part of `442079460118` once the dialling zeros are gone. */
function significantDigits(text: string): string {
  const digits = text.replaceAll(/\D/g, '')
  return digits.length < 6 ? digits : digits.replace(/^0+/, '')
}
