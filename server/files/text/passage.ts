import type { Passage } from '#contract/lists.ts'

/** The length of a passage, and the maximum length of the text in it before the first searched word, in UTF-16 code units. */
const passageLength = 160
const maxLengthBefore = 50

/** Letters that Unicode does not decompose, and the letters by which `app.fold` in the database replaces them. */
const foldedLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
}
/** Letters that are also written as two letters. */
const respelledLetters: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }

/** A part of a text that has a searched word, with the end of the text before and the beginning after it. `page`: null without pages. */
export type PassageSource = { before: string; content: string; after: string; page: number | null }

/**
 * Cuts a passage out of a text, around the first place with the most searched words. A word is marked as a whole, even if the
 * user searched only for its beginning.
 */
export function createPassage({ before, content, after, page }: PassageSource, search: string): Passage {
  const searchedSpellings = [...findWords(search.normalize('NFC'))].map(({ word }) => spellingsOf(word))
  /** Returns the index of the searched word that a word matches, or -1. */
  const findSearched = (word: string): number => searchedSpellings.findIndex((spellings) => matches(word, spellings))
  const prefix = before.replace(/^\S*/u, '') // `before` can begin in the middle of a word, which is removed
  const text = toOneLine(prefix + content + after)
  const place = choosePlace(text, toOneLine(prefix).length, searchedSpellings.length, findSearched)
  const { start, end } = chooseRange(text, place)
  const excerpt = text.slice(start, end)
  const isStart = start === 0 && before === ''
  const isEnd = end === text.length && after === ''
  const shift = isStart ? 0 : 2 // the length of the ellipsis and the space before the excerpt
  const marks = [...findWords(excerpt)]
    .filter(({ word }) => findSearched(word) !== -1)
    .map(({ start: first, word }) => ({ start: first + shift, end: first + shift + word.length }))
  return { text: `${isStart ? '' : '… '}${excerpt.trimEnd()}${isEnd ? '' : ' …'}`, marks, page }
}

const toOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trimStart()

/**
 * Whether a word begins with one of the spellings of a searched word. A searched word of one Latin letter or digit must be the whole word,
 * as in the database's queries.
 */
const matches = (word: string, searchedSpellings: readonly string[]): boolean =>
  spellingsOf(word).some((spelling) =>
    searchedSpellings.some((searched) => (/^[a-z0-9]$/.test(searched) ? spelling === searched : spelling.startsWith(searched))),
  )

function* findWords(text: string, from = 0): Generator<{ word: string; start: number }> {
  const pattern = /[\p{L}\p{M}\p{N}]+/gu
  pattern.lastIndex = from
  for (const { 0: word, index } of text.matchAll(pattern)) yield { word, start: index }
}

/**
 * Returns the first position after `from` that has the largest number of different searched words near it, or `from` if there is none.
 * `findSearched` returns the index of the searched word that a word matches, or -1.
 */
function choosePlace(text: string, from: number, searchedCount: number, findSearched: (word: string) => number): number {
  let best = { place: from, count: 0 }
  let near: { index: number; start: number }[] = []
  for (const { word, start } of findWords(text, from)) {
    const index = findSearched(word)
    if (index === -1) continue
    near = [...near.filter((hit) => hit.start > start - passageLength / 2), { index, start }]
    const count = new Set(near.map((hit) => hit.index)).size
    if (count > best.count) best = { place: near[0]?.start ?? start, count }
    if (count === searchedCount) break // most of a text need not be read
  }
  return best.place
}

/** Returns the range of whole words around a position. */
function chooseRange(text: string, position: number): { start: number; end: number } {
  const earliest = Math.max(0, position - maxLengthBefore)
  const afterSpace = earliest === 0 ? 0 : text.indexOf(' ', earliest) + 1
  const start = afterSpace > 0 && afterSpace <= position ? afterSpace : earliest
  const latest = start + passageLength
  if (latest >= text.length) return { start, end: text.length }
  const space = text.lastIndexOf(' ', latest)
  return { start, end: space > position ? space : latest }
}

/** Returns a word without case and accents, and in the spelling with two letters for an umlaut. */
function spellingsOf(word: string): string[] {
  const lower = word.toLowerCase()
  if (/^[a-z0-9]*$/.test(lower)) return [lower]
  const respelled = replaceLetters(lower, respelledLetters)
  return respelled === lower ? [fold(lower)] : [fold(lower), fold(respelled)]
}

const fold = (word: string): string => replaceLetters(word.normalize('NFKD').replaceAll(/\p{M}+/gu, ''), foldedLetters)

const replaceLetters = (word: string, letters: Readonly<Record<string, string>>): string =>
  Array.from(word, (letter) => letters[letter] ?? letter).join('')
