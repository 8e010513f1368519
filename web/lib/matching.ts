// Matches typed words with texts in the browser. Ignores accents and case, like the server's search.

/** Normalizes one character for a comparison. The result may be empty or have several letters. */
type Normalize = (character: string) => string

const removeAccent: Normalize = (character) => character.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
const twoLetterSpellings: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', ø: 'oe', å: 'aa' }
const toTwoLetters: Normalize = (character) => twoLetterSpellings[character.toLowerCase()] ?? removeAccent(character)
const keepDigit: Normalize = (character) => (/\d/.test(character) ? character : '')

/** Removes accents and case: "Müller" becomes "muller". */
const normalizeText = (text: string): string => Array.from(text, removeAccent).join('')

/** Splits a typed text into normalized words. */
export const splitIntoWords = (typed: string): string[] => normalizeText(typed).split(/\s+/).filter(Boolean)

/** Ranks a text by its match with all words: 0 begins with them, 1 has words that begin with them, 2 contains them, undefined: no match. */
export function rankMatch(text: string, words: readonly string[]): 0 | 1 | 2 | undefined {
  const whole = normalizeText(text)
  if (whole.startsWith(words.join(' '))) return 0
  const parts = whole.split(/[^\p{L}\p{N}]+/u)
  if (words.every((word) => parts.some((part) => part.startsWith(word)))) return 1
  return words.every((word) => word.length > 2 && whole.includes(word)) ? 2 : undefined
}

/** A part of a text. `matches` is true when it matches a typed word. */
export type Piece = { text: string; matches: boolean }

/** Splits a text into parts that match a typed word and parts that do not. */
export function splitByMatch(text: string, words: readonly string[]): Piece[] {
  const characters = Array.from(text)
  const matching = new Set(words.flatMap((word) => findMatch(characters, word)))
  const pieces: Piece[] = []
  for (const [index, character] of characters.entries()) {
    const last = pieces.at(-1)
    if (last?.matches === matching.has(index)) last.text += character
    else pieces.push({ text: character, matches: matching.has(index) })
  }
  return pieces
}

/** The maximum number of letters shown before the first match in a long text. */
const maxLettersBefore = 24

/** Does the same as `splitByMatch` for long texts, and cuts off the text before the first match. */
export function splitAroundMatch(text: string, words: readonly string[]): Piece[] {
  const pieces = splitByMatch(text, words)
  const [before, ...rest] = pieces
  if (!before || before.matches || rest.length === 0 || before.text.length <= maxLettersBefore) return pieces
  const end = before.text.slice(-maxLettersBefore)
  return [{ text: `…${end.slice(end.indexOf(' ') + 1)}`, matches: false }, ...rest]
}

/** Returns the indexes of the characters that match a word, also with umlauts as two letters and with the digits of phone numbers. */
function findMatch(characters: readonly string[], word: string): number[] {
  const digits = word.replaceAll(/\D/g, '')
  const attempts: [Normalize, string][] = [
    [removeAccent, word],
    [toTwoLetters, word],
  ]
  if (digits.length > 2 && /^[\d+()/.-]+$/.test(word)) attempts.push([keepDigit, digits])
  for (const [normalize, wanted] of attempts) {
    const letters = characters.flatMap((character, index) =>
      normalize(character)
        .split('')
        .map((letter) => ({ letter, index })),
    )
    const start = findStart(wanted, letters.map(({ letter }) => letter).join(''))
    if (start >= 0) return indexesBetween(letters, start, wanted.length)
  }
  return []
}

/** Returns the position of the first match at the beginning of a word, else of the first match, else -1. */
function findStart(wanted: string, whole: string): number {
  for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + 1)) {
    if (!/[\p{L}\p{N}]/u.test(whole[at - 1] ?? '')) return at
  }
  return whole.indexOf(wanted)
}

function indexesBetween(letters: readonly { index: number }[], start: number, length: number): number[] {
  const first = letters[start]?.index ?? 0
  const last = letters[start + length - 1]?.index ?? first
  return Array.from({ length: last - first + 1 }, (_, offset) => first + offset)
}
