// Compares the names of two contacts.
import { fold, isFirstNameTypo, isTypo, unifySpelling, wordsOf } from './words.ts'

/**
 * How the names of two contacts are related. `marks`: equal without accents. `initial`: "I. Vantongeren". `short`: "Greg" and "Gregory".
 * `longer`: one name has an additional word, such as "Marchetti-Lund". `missing`: a contact has no name. `word`: a contact has only one of
 * the words, such as the last name.
 */
export type NameRelation = 'same' | 'marks' | 'swapped' | 'typo' | 'initial' | 'short' | 'longer' | 'word' | 'missing' | 'different'

type Name = { first_name: string; last_name: string }
/** `markers` are words such as "jr" and "sr", which tell a father from his son. */
type ParsedName = { first: string[]; last: string[]; markers: string[] }

const titles = new Set(['dr', 'prof', 'mr', 'mrs', 'ms', 'herr', 'frau', 'mme', 'ing', 'dipl', 'phd', 'mba', 'msc'])
const markers = new Set(['jr', 'junior', 'jun', 'sr', 'senior', 'sen', 'ii', 'iii', 'iv', 'pere', 'fils'])

/** Endings that turn the name of a man into the name of a woman: "Paul" and "Pauline" are two persons. */
const feminineEnding = /^(a|e|ah|ia|ie|in|ina|ine|ette|etta|ita|elle|ella|icia|ica|ique|y)$/

export function compareNames(one: Name, other: Name): NameRelation {
  const [a, b] = [parse(one), parse(other)]
  const [wordsOfA, wordsOfB] = [
    [...a.first, ...a.last],
    [...b.first, ...b.last],
  ]
  if (wordsOfA.length === 0 || wordsOfB.length === 0) return 'missing'
  if (a.markers.join() !== b.markers.join()) return 'different'
  if (wordsOfA.join('') === wordsOfB.join('')) return isEqualWithMarks(one, other) ? 'same' : 'marks'
  if (wordsOfA.toSorted().join() === wordsOfB.toSorted().join()) return 'swapped'
  if (wordsOfA.length === 1 || wordsOfB.length === 1) return compareSingleWords(wordsOfA, wordsOfB)
  const relation = compareParts(a, b)
  return relation === 'different' ? compareParts(a, { ...b, first: b.last, last: b.first }) : relation
}

const isEqualWithMarks = (one: Name, other: Name): boolean => toLetters(one) === toLetters(other)
const toLetters = ({ first_name, last_name }: Name): string =>
  `${first_name}${last_name}`
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Splits a name into first and last names. A name in one field is split before its second word, or at a comma: "Lund, Tilda". */
function parse({ first_name, last_name }: Name): ParsedName {
  const text = `${first_name} ${last_name}`.trim()
  const [beforeComma = '', afterComma = ''] = text.split(',')
  const isReversed = wordsOf(beforeComma).length > 0 && wordsOf(afterComma).some((word) => !markers.has(word))
  const parts = isReversed ? [afterComma, beforeComma] : [first_name, last_name]
  const [first = [], last = []] = parts.map((part) => toNameWords(part))
  const presentMarkers = wordsOf(text).filter((word) => markers.has(word))
  if (first.length > 0 && last.length > 0) return { first, last, markers: presentMarkers }
  const [firstWord, ...others] = [...first, ...last]
  return {
    first: firstWord === undefined || others.length === 0 ? [] : [firstWord],
    last: others.length === 0 ? [...first, ...last] : others,
    markers: presentMarkers,
  }
}

const toNameWords = (text: string): string[] =>
  wordsOf(text)
    .filter((word) => !titles.has(word) && !markers.has(word))
    .map((word) => unifySpelling(word))

function compareSingleWords(a: readonly string[], b: readonly string[]): NameRelation {
  const [shorter, longer] = a.length <= b.length ? [a, b] : [b, a]
  const word = shorter[0] ?? ''
  if (longer.includes(word)) return 'word'
  return longer.length === 1 && isTypo(word, longer[0] ?? '') ? 'typo' : 'different'
}

function compareParts(a: ParsedName, b: ParsedName): NameRelation {
  const [firstA, firstB] = [a.first.join(''), b.first.join('')]
  const [lastA, lastB] = [a.last.join(''), b.last.join('')]
  if (firstA === firstB) {
    if (isTypo(lastA, lastB)) return 'typo'
    return isPart(a.last, b.last) ? 'longer' : 'different'
  }
  if (lastA !== lastB) return 'different'
  if (isInitial(firstA, firstB)) return 'initial'
  if (isFirstNameTypo(firstA, firstB)) return 'typo'
  if (a.first[0] === b.first[0] && isPart(a.first, b.first)) return 'longer'
  return isShortForm(firstA, firstB) ? 'short' : 'different'
}

/** Whether the longer list has all words of the shorter one, and each of these words has at least three letters. */
function isPart(one: readonly string[], other: readonly string[]): boolean {
  const [shorter, longer] = one.length <= other.length ? [one, other] : [other, one]
  return shorter.every((word) => word.length >= 3 && longer.includes(word))
}

const isInitial = (one: string, other: string): boolean => Math.min(one.length, other.length) === 1 && one[0] === other[0]

/** Whether one name is the other without an ending of at least two letters: "Greg" and "Gregory", but not "Paul" and "Pauline". */
function isShortForm(one: string, other: string): boolean {
  const [shorter, longer] = one.length <= other.length ? [one, other] : [other, one]
  const ending = longer.slice(shorter.length)
  return shorter.length >= 3 && longer.startsWith(shorter) && ending.length >= 2 && !feminineEnding.test(ending)
}

/** Whether the text, such as the first part of an email, contains a word of the name. Words of fewer than four letters do not count. */
export const hasNameWord = (text: string, { first_name, last_name }: Name): boolean =>
  wordsOf(`${first_name} ${last_name}`).some((word) => word.length >= 4 && fold(text).includes(word))
