// How typed words are found in texts on the screen: accents and capitals make no difference, as in searches on the server.

type Folding = (character: string) => string

const withoutAccents: Folding = (character) => character.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
const spelledOut: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', ø: 'oe', å: 'aa' }
const withTwoLetters: Folding = (character) => spelledOut[character.toLowerCase()] ?? withoutAccents(character)
const digitsAlone: Folding = (character) => (/\d/.test(character) ? character : '')

/** Text as it is compared: "Müller" is "muller". */
const folded = (text: string): string => Array.from(text, withoutAccents).join('')

/** The words of what somebody typed, folded. */
export const wordsOf = (typed: string): string[] => folded(typed).split(/\s+/).filter(Boolean)

/** How well a text answers all words: 0 begins with them, 1 has words that begin so, 2 has them somewhere; undefined not at all. */
export function rankOf(text: string, words: readonly string[]): 0 | 1 | 2 | undefined {
  const whole = folded(text)
  if (whole.startsWith(words.join(' '))) return 0
  const parts = whole.split(/[^\p{L}\p{N}]+/u)
  if (words.every((word) => parts.some((part) => part.startsWith(word)))) return 1
  return words.every((word) => word.length > 2 && whole.includes(word)) ? 2 : undefined
}

/** Letters of a long text that stay before the first find. */
const mostBefore = 24

/** A piece of a text, and whether it was looked for. */
export type Piece = { text: string; found: boolean }

/** Cuts a text where words were found in it. */
export function piecesOf(text: string, words: readonly string[]): Piece[] {
  const characters = Array.from(text)
  const found = new Set(words.flatMap((word) => placesOf(characters, word)))
  const pieces: Piece[] = []
  for (const [index, character] of characters.entries()) {
    const last = pieces.at(-1)
    if (last?.found === found.has(index)) last.text += character
    else pieces.push({ text: character, found: found.has(index) })
  }
  return pieces
}

/** The same of a long text, from shortly before the first find on. */
export function piecesAround(text: string, words: readonly string[]): Piece[] {
  const pieces = piecesOf(text, words)
  const [before, ...rest] = pieces
  if (!before || before.found || rest.length === 0 || before.text.length <= mostBefore) return pieces
  const kept = before.text.slice(-mostBefore)
  return [{ text: `…${kept.slice(kept.indexOf(' ') + 1)}`, found: false }, ...rest]
}

/** The characters that make a word, by their places: as it is written, with umlauts spelled out, or digits of a phone number. */
function placesOf(characters: readonly string[], word: string): number[] {
  const digits = word.replaceAll(/\D/g, '')
  const ways: [Folding, string][] = [
    [withoutAccents, word],
    [withTwoLetters, word],
  ]
  if (digits.length > 2 && /^[\d+()/.-]+$/.test(word)) ways.push([digitsAlone, digits])
  for (const [fold, wanted] of ways) {
    const places = characters.flatMap((character, index) =>
      fold(character)
        .split('')
        .map((letter) => ({ letter, index })),
    )
    const letters = places.map(({ letter }) => letter)
    const start = startOf(wanted, letters.join(''))
    if (start >= 0) return between(places, start, wanted.length)
  }
  return []
}

/** Where a word is found: at the beginning of a word if it can be. */
function startOf(wanted: string, whole: string): number {
  for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + 1)) {
    if (!/[\p{L}\p{N}]/u.test(whole[at - 1] ?? '')) return at
  }
  return whole.indexOf(wanted)
}

function between(places: readonly { index: number }[], start: number, length: number): number[] {
  const first = places[start]?.index ?? 0
  const last = places[start + length - 1]?.index ?? first
  return Array.from({ length: last - first + 1 }, (_, offset) => first + offset)
}
