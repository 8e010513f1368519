// Compares words of names, emails and companies without regard to case, marks and punctuation.

/** Letters that do not consist of a base letter and a mark. */
const baseLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
}

/** Returns the text in lower case without marks: "Łukasz Nguyễn" -> "lukasz nguyen". */
export const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[ßøłđðþæœı]/g, (letter) => baseLetters[letter] ?? letter)

/** Returns the words of a text. Apostrophes do not separate words: "O’Neill-Lund" -> "oneill", "lund". */
export const wordsOf = (text: string): string[] => fold(text.replaceAll(/['’`´]/g, '')).match(/[\p{L}\p{N}]+/gu) ?? []

/** Returns the word with one spelling for umlauts, which many people write as two letters: "mueller" -> "muller". */
export const unifySpelling = (word: string): string => word.replaceAll(/([aou])e/g, '$1')

/**
 * Returns the number of letters that are missing, added or wrong in one of the words, or swapped with the next one (optimal string
 * alignment). If the lengths differ by more than `max`, returns `max + 1` without counting.
 */
export function countTypos(one: string, other: string, max: number): number {
  if (Math.abs(one.length - other.length) > max) return max + 1
  let beforePrevious: number[] = []
  let previous = Array.from({ length: other.length + 1 }, (_unused, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current[column] = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforePrevious[column - 2] ?? 0) + 1 : Infinity,
      )
    }
    ;[beforePrevious, previous] = [previous, current]
  }
  return previous[other.length] ?? 0
}

const isVowel = (letter: string | undefined): boolean => letter !== undefined && 'aeiouy'.includes(letter)

/** Whether two words of names differ by a typo: in one letter, or in two letters of a long name. */
export function isTypo(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length)
  if (length < 4) return false
  const isSameStart = one[0] === other[0] || (one[0] === other[1] && one[1] === other[0])
  const max = length >= 9 ? 2 : 1
  return isSameStart && one !== other && countTypos(one, other, max) <= max
}

/**
 * Whether two first names differ by a typo. A different vowel or an added letter at the end often makes the name of another person, such as
 * "Mario" and "Maria", "Martin" and "Martina", "Andrea" and "Andreas".
 */
export function isFirstNameTypo(one: string, other: string): boolean {
  if (!isTypo(one, other)) return false
  const [shorter, longer] = one.length <= other.length ? [one, other] : [other, one]
  if (longer.startsWith(shorter)) {
    const added = longer.slice(shorter.length)
    return added === 'h' || added === shorter.at(-1) // "Sarah", "Philipp"
  }
  const isSameEnd = one.at(-1) === other.at(-1)
  return isSameEnd || (!isVowel(one.at(-1)) && !isVowel(other.at(-1)))
}
