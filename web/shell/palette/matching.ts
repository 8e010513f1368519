// Finds typed words in labels and titles. Runs in the browser, and ignores accents and case, like the search of the server.
import type { Passage } from '#contract/lists.ts'

/** Converts one character to a form in which characters are compared. The result may be empty or have several letters. */
type Normalize = (character: string) => string

/** NFD splits "ü" into "u" and its accent, which is a mark (\p{M}). */
const removeAccent: Normalize = (character) => character.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
const twoLetterSpellings: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', ø: 'oe', å: 'aa' }
const toTwoLetters: Normalize = (character) => twoLetterSpellings[character.toLowerCase()] ?? removeAccent(character)
const keepDigit: Normalize = (character) => (/\d/.test(character) ? character : '')

/** Removes accents and case: "Müller" becomes "muller". */
const normalizeText = (text: string): string => Array.from(text, removeAccent).join('')

/** Splits a typed text into normalized words. */
export const splitIntoWords = (typedText: string): string[] => normalizeText(typedText).split(/\s+/).filter(Boolean)

/**
 * Ranks a text by its match with all typed words. 0: the text begins with them. 1: each of them begins a word of the text. 2: the text
 * contains them, and each has at least three letters. Undefined: no match.
 */
export function rankMatch(text: string, words: readonly string[]): 0 | 1 | 2 | undefined {
  const normalizedText = normalizeText(text)
  if (normalizedText.startsWith(words.join(' '))) return 0
  const wordsOfText = normalizedText.split(/[^\p{L}\p{N}]+/u) // split at everything but letters and digits
  if (words.every((word) => wordsOfText.some((wordOfText) => wordOfText.startsWith(word)))) return 1
  return words.every((word) => word.length > 2 && normalizedText.includes(word)) ? 2 : undefined
}

/** A part of a text. `matches` is true when it matches a typed word. */
export type Piece = { text: string; matches: boolean }

/** Splits a text into parts that match a typed word and parts that do not. */
export function splitByMatch(text: string, words: readonly string[]): Piece[] {
  const characters = Array.from(text)
  const matchingIndexes = new Set(words.flatMap((word) => findMatch(characters, word)))
  const pieces: Piece[] = []
  for (const [index, character] of characters.entries()) {
    const last = pieces.at(-1)
    const matches = matchingIndexes.has(index)
    if (last?.matches === matches) last.text += character
    else pieces.push({ text: character, matches })
  }
  return pieces
}

/** Splits a passage of a search into the words that the server has marked and the text between them. */
export function splitByMarks({ text, marks }: Passage): Piece[] {
  const pieces: Piece[] = []
  let position = 0
  for (const { start, end } of marks) {
    pieces.push({ text: text.slice(position, start), matches: false }, { text: text.slice(start, end), matches: true })
    position = end
  }
  return [...pieces, { text: text.slice(position), matches: false }].filter((piece) => piece.text !== '')
}

/** The maximum number of letters shown before the first match in a long text. */
const maxLettersBefore = 24

/** Splits a text like `splitByMatch`, and cuts off the start of the text if more than 24 letters are before the first match. */
export function splitAndCutStart(text: string, words: readonly string[]): Piece[] {
  const pieces = splitByMatch(text, words)
  const [first, ...rest] = pieces
  const isShort = !first || first.matches || rest.length === 0 || first.text.length <= maxLettersBefore
  if (isShort) return pieces
  const lettersBefore = first.text.slice(-maxLettersBefore)
  const wholeWordsBefore = lettersBefore.slice(lettersBefore.indexOf(' ') + 1) // `lettersBefore` may begin in the middle of a word
  return [{ text: `…${wholeWordsBefore}`, matches: false }, ...rest]
}

/**
 * Returns the indexes of the characters that match a word. Tries letters without accents, then umlauts as two letters ("ue" for "ü"), then
 * only digits for a typed phone number.
 */
function findMatch(characters: readonly string[], word: string): number[] {
  const digits = word.replaceAll(/\D/g, '')
  const attempts: [Normalize, string][] = [
    [removeAccent, word],
    [toTwoLetters, word],
  ]
  if (digits.length > 2 && /^[\d+()/.-]+$/.test(word)) attempts.push([keepDigit, digits])
  for (const [normalize, searchedLetters] of attempts) {
    const letters = characters.flatMap((character, index) =>
      normalize(character)
        .split('')
        .map((letter) => ({ letter, index })),
    )
    const start = findStart(searchedLetters, letters.map(({ letter }) => letter).join(''))
    if (start >= 0) return getCharacterIndexes(letters, start, searchedLetters.length)
  }
  return []
}

/** Returns the position of the first match at the beginning of a word, else of the first match, else -1. */
function findStart(searchedLetters: string, text: string): number {
  for (let position = text.indexOf(searchedLetters); position >= 0; position = text.indexOf(searchedLetters, position + 1)) {
    const isInsideWord = /[\p{L}\p{N}]/u.test(text[position - 1] ?? '')
    if (!isInsideWord) return position
  }
  return text.indexOf(searchedLetters)
}

/** Returns the indexes of the characters that these letters came from. One character can have several letters. */
function getCharacterIndexes(letters: readonly { index: number }[], start: number, length: number): number[] {
  const first = letters[start]?.index ?? 0
  const last = letters[start + length - 1]?.index ?? first
  return Array.from({ length: last - first + 1 }, (_, offset) => first + offset)
}
