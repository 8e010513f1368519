// How typed words are matched with texts in the browser. As in the server's search, accents and capitals make no difference.

/** Normalizes one character for a comparison; the result may have no or several letters. */
type Normalize = (character: string) => string

const withoutAccent: Normalize = (character) => character.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
const twoLetterSpellings: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', ø: 'oe', å: 'aa' }
const withTwoLetters: Normalize = (character) => twoLetterSpellings[character.toLowerCase()] ?? withoutAccent(character)
const digitsOnly: Normalize = (character) => (/\d/.test(character) ? character : '')

/** "Müller" becomes "muller". */
const normalized = (text: string): string => Array.from(text, withoutAccent).join('')

/** The words of a typed text, normalized. */
export const wordsOf = (typed: string): string[] => normalized(typed).split(/\s+/).filter(Boolean)

/** How well a text matches all words: 0 begins with them, 1 has words that begin with them, 2 contains them; undefined for no match. */
export function rankOf(text: string, words: readonly string[]): 0 | 1 | 2 | undefined {
  const whole = normalized(text)
  if (whole.startsWith(words.join(' '))) return 0
  const parts = whole.split(/[^\p{L}\p{N}]+/u)
  if (words.every((word) => parts.some((part) => part.startsWith(word)))) return 1
  return words.every((word) => word.length > 2 && whole.includes(word)) ? 2 : undefined
}

/** A piece of a text, and whether it matches a typed word. */
export type Piece = { text: string; matches: boolean }

/** Splits a text into matching and other pieces. */
export function piecesOf(text: string, words: readonly string[]): Piece[] {
  const characters = Array.from(text)
  const matching = new Set(words.flatMap((word) => matchOf(characters, word)))
  const pieces: Piece[] = []
  for (const [index, character] of characters.entries()) {
    const last = pieces.at(-1)
    if (last?.matches === matching.has(index)) last.text += character
    else pieces.push({ text: character, matches: matching.has(index) })
  }
  return pieces
}

/** How many letters of a long text are kept before the first match. */
const maxLettersBefore = 24

/** Like `piecesOf`, for long texts: what comes long before the first match is cut off. */
export function piecesAround(text: string, words: readonly string[]): Piece[] {
  const pieces = piecesOf(text, words)
  const [before, ...rest] = pieces
  if (!before || before.matches || rest.length === 0 || before.text.length <= maxLettersBefore) return pieces
  const end = before.text.slice(-maxLettersBefore)
  return [{ text: `…${end.slice(end.indexOf(' ') + 1)}`, matches: false }, ...rest]
}

/** The indexes of the characters that match a word: without accents, with umlauts as two letters, or as the digits of a phone number. */
function matchOf(characters: readonly string[], word: string): number[] {
  const digits = word.replaceAll(/\D/g, '')
  const attempts: [Normalize, string][] = [
    [withoutAccent, word],
    [withTwoLetters, word],
  ]
  if (digits.length > 2 && /^[\d+()/.-]+$/.test(word)) attempts.push([digitsOnly, digits])
  for (const [normalize, wanted] of attempts) {
    const letters = characters.flatMap((character, index) =>
      normalize(character)
        .split('')
        .map((letter) => ({ letter, index })),
    )
    const start = startOf(wanted, letters.map(({ letter }) => letter).join(''))
    if (start >= 0) return indexesBetween(letters, start, wanted.length)
  }
  return []
}

/** The position of a match. A match at the beginning of a word is preferred. */
function startOf(wanted: string, whole: string): number {
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
