/**
 * Returns the alternatives of a search: a record matches if it contains all words of one of them. A text of digits and the separators of
 * phone numbers is searched as one word of digits, which finds a phone number in any format, and also as it was typed, because it may be
 * part of a title, such as `2024-01-15`.
 */
export function splitSearch(search: string): string[][] {
  const text = search.trim()
  if (text === '') return []
  const words = text.split(/\s+/)
  // a text that consists only of digits and the separators of phone numbers, with at least one digit
  if (!/^\+?[\d\s().\-/]*\d[\d\s().\-/]*$/.test(text)) return [words]
  const digits = removeLeadingZeros(text)
  // what contains the text also contains these digits
  if (text.includes(digits)) return [[digits]]
  // many phone numbers have only words of one or two digits, which no index finds, so their words are searched as one text
  return [[digits], words.some((word) => word.length >= 3) ? words : [words.join(' ')]]
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
