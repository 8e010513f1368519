// Splits the full name of a person.
import firstNames from './first-names.json' with { type: 'json' }
import { normalizeText, parseList } from './headers.ts'
import vocabulary from './vocabulary.json' with { type: 'json' }

const salutations = new Set(parseList(vocabulary.salutation))
const generations = new Set(parseList(vocabulary.generation))
const suffixes = new Set([...generations, ...parseList(vocabulary.degree)])
const particles = new Set(parseList(vocabulary.particle))
const spanishSurnames = new Set(parseList(vocabulary.spanishSurname))
const givenNames = new Set(parseList(firstNames.names))

/**
 * Splits a full name into first and last name: "Ludwig van Beethoven", "Hopper, Grace", "DUPONT Jean", "María García López". Removes
 * salutations, also after a comma as in "Hopper, Dr.", and degrees after a comma. A suffix such as "Jr." belongs to the last name. A single
 * word is a first name; after a salutation, it is a last name.
 */
export function splitFullName(name: string): { first_name: string; last_name: string } {
  const [beforeComma = '', ...afterComma] = name.split(',').map((part) => part.trim())
  const title = afterComma.find((part) => part !== '' && part.split(/\s+/).every(isSalutation))
  const given = afterComma.filter((part) => part !== '' && part !== title && !isSuffix(part)).join(' ')
  const { first_name, last_name } = splitParts(title === undefined ? beforeComma : `${title} ${beforeComma}`, given)
  const generation = afterComma.find((part) => generations.has(normalizeText(part)))
  return { first_name, last_name: generation === undefined || last_name === '' ? last_name : `${last_name} ${generation}` }
}

/** `given`: the first names after a comma, as in "Hopper, Grace"; empty if there are none. */
function splitParts(beforeComma: string, given: string): { first_name: string; last_name: string } {
  const written = beforeComma.split(/\s+/).filter((word) => word !== '')
  const words = withoutSalutations(written)
  if (given !== '') return { first_name: withoutSalutations(given.split(/\s+/)).join(' '), last_name: words.join(' ') }
  if (words.length === 1 && words.length < written.length) return { first_name: '', last_name: words.join(' ') }
  const [start, end] = findLastName(words)
  return { first_name: [...words.slice(0, start), ...words.slice(end)].join(' '), last_name: words.slice(start, end).join(' ') }
}

/** Whether all words are particles of a last name, such as "van der". */
export const isParticle = (text: string): boolean => text.split(/\s+/).every((word) => particles.has(normalizeText(word)))

const isSuffix = (text: string): boolean => text.split(/\s+/).every((word) => suffixes.has(normalizeText(word)))

/** Removes "Dr." and the like from the beginning. A single letter is an initial, except for the French "M.". */
function withoutSalutations(words: readonly string[]): string[] {
  const start = words.findIndex((word, index) => index === words.length - 1 || !isSalutation(word))
  return words.slice(Math.max(start, 0))
}

function isSalutation(word: string): boolean {
  const text = normalizeText(word)
  const isInitial = word.endsWith('.') ? text.length <= 1 && word !== 'M.' : word.length <= 1
  return !isInitial && salutations.has(text) && !givenNames.has(text)
}

/** Returns the index of the first word of the last name, and the index after its last word. */
function findLastName(words: readonly string[]): [start: number, end: number] {
  const { length } = words
  if (length < 2) return [length, length]
  /** The number of words in capitals at the beginning; -1 if all words are. */
  const capitalCount = words.findIndex((word) => !isCapitals(word))
  if (capitalCount > 0 && words.slice(capitalCount).every((word) => !isCapitals(word))) return [0, capitalCount]
  const last = words.findLastIndex((word) => !suffixes.has(normalizeText(word)))
  // an initial such as "D." is no particle
  const particle = words.findIndex(
    (word, index) => index > 0 && index < last && particles.has(normalizeText(word)) && !/^\p{Lu}\.$/u.test(word),
  )
  const beforeParticle = words[particle - 1]
  if (particle > 0 && beforeParticle !== undefined)
    return [particle > 1 && spanishSurnames.has(normalizeText(beforeParticle)) ? particle - 1 : particle, length]
  const previous = normalizeText(words[last - 1] ?? '')
  // "Ana García López": the word before the last one is a surname too, from the list or with an ending as in "Gutiérrez"
  const hasTwoSurnames = last >= 2 && !givenNames.has(previous) && (spanishSurnames.has(previous) || /.{3}ez$/.test(previous))
  return [hasTwoSurnames ? last - 1 : Math.max(last, 1), length]
}

const isCapitals = (word: string): boolean => /^[\p{Lu}'’-]{2,}$/u.test(word)
