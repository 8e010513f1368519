/** The maximum length of a masked value, in characters. */
const maxLength = 30

/**
 * Returns the shape of a value: letters become "a" or "A", and digits "9". Punctuation, spaces, signs of currencies and the signs +<=>|~^`
 * stay, and all other characters become "*". The shape of "Zoë.Smith@example.org" is "Aaa.Aaaaa@aaaaaaa.aaa".
 */
export const maskValue = (value: string): string => Array.from(value.normalize('NFC'), maskCharacter).slice(0, maxLength).join('')

function maskCharacter(character: string): string {
  if (/[\p{Lu}\p{Lt}]/u.test(character)) return 'A'
  if (/[\p{L}\p{M}]/u.test(character)) return 'a'
  if (/\p{N}/u.test(character)) return '9'
  if (/\s/u.test(character)) return ' '
  return /[\p{P}\p{Sc}+<=>|~^`]/u.test(character) ? character : '*'
}
