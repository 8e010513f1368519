// Reads headers of columns: finds the concepts, such as "work" and "phone", that the words of a header name in any of eleven languages.
import words from './words.json' with { type: 'json' }

/**
 * The meaning of a header. `group` is the 2 of "Address 2 - City", `number` the 2 of "E-mail 2". `isNamed`: the header says more than
 * fillers such as "column", numbers and single letters.
 */
export type Header = { concepts: ReadonlySet<string>; unknownWords: number; group: number | undefined; number: number; isNamed: boolean }

/** Returns the words of a text in lower case, without accents and punctuation: "E-Mail (privé)" is "e", "mail", "prive". */
export const splitWords = (text: string): string[] =>
  text
    .replaceAll(/ı/g, 'i')
    .replaceAll(/[łŁ]/g, 'l')
    .replaceAll(/[øØ]/g, 'o')
    .replaceAll(/ß/g, 'ss')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/\p{L}+|\p{N}+/gu) ?? []

/** Returns the entries of a list in a JSON file, "one, two words", in the form of `splitWords` without spaces. */
export const parseList = (list: string): string[] => list.split(', ').map(normalizeText)

/** Returns the text in lower case, without accents, punctuation and spaces. */
export const normalizeText = (text: string): string => splitWords(text).join('')

/** Reads the headers of a table. A word with several meanings is read in the language that has the fewest unknown words. */
export function readHeaders(headers: readonly (string | null)[]): { headers: Header[]; language: string } {
  const texts = headers.map((header) => splitCamelCase(header ?? ''))
  const firstTexts = texts.slice(0, 100) // enough to recognise the language of a table with many columns
  const [language = 'en'] = languages
    .map((name) => ({ name, unknown: countUnknown(firstTexts, name) }))
    .toSorted((a, b) => a.unknown - b.unknown)
    .map(({ name }) => name)
  const order = [language, ...languages.filter((other) => other !== language)]
  return { headers: texts.map((text) => readHeader(text, order)), language }
}

/** Returns the concepts of a label such as "Work fax". */
export function conceptsOf(label: string): ReadonlySet<string> {
  return label === '' ? new Set() : readHeader(splitCamelCase(label), languages).concepts
}

type Term = { concept: string; text: string }

/** For each language the concepts of its words. Words are written without spaces, so that "e-mail" and "email" are the same. */
const dictionaries = new Map(
  Object.entries(words).map(([language, concepts]) => [
    language,
    new Map(Object.entries(concepts).flatMap(([concept, list]) => parseList(list).map((word): [string, string] => [word, concept]))),
  ]),
)
const languages = [...dictionaries.keys()]
const maxWordsInTerm = 5
/** The maximum length, in characters, of the part of a header that is read. */
const maxLength = 200
const addressParts = ['address', 'street', 'house', 'city', 'state', 'postcode', 'country']

const splitCamelCase = (text: string): string =>
  text
    .slice(0, maxLength)
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')

const countUnknown = (texts: readonly string[], language: string): number =>
  texts.reduce((sum, text) => sum + readHeader(text, [language]).unknownWords, 0)

function readHeader(text: string, order: readonly string[]): Header {
  const tokens = splitWords(text)
  const terms = readTerms(
    tokens.filter((token) => !/^\p{N}/u.test(token)),
    order,
  )
  const concepts = new Set(terms.flatMap(({ concept }) => (concept === 'filler' || concept === 'unknown' ? [] : [concept])))
  const index = tokens.findIndex((token) => /^\p{N}+$/u.test(token))
  return {
    concepts,
    unknownWords: terms.filter(({ concept }) => concept === 'unknown').length,
    group: index > 0 && index < tokens.length - 1 && addressParts.some((part) => concepts.has(part)) ? Number(tokens[index]) : undefined,
    number: Number(tokens[index] ?? 0),
    isNamed: terms.some(({ concept, text: word }) => concept !== 'filler' && word.length > 1),
  }
}

/** Reads the longest known terms from left to right. */
function readTerms(tokens: readonly string[], order: readonly string[]): Term[] {
  const [first] = tokens
  if (first === undefined) return []
  for (let length = Math.min(maxWordsInTerm, tokens.length); length > 0; length--) {
    const text = tokens.slice(0, length).join('')
    const concept = findConcept(text, order)
    if (concept) return [{ concept, text }, ...readTerms(tokens.slice(length), order)]
  }
  for (let length = Math.min(maxWordsInTerm, tokens.length); length > 0; length--) {
    const text = tokens.slice(0, length).join('')
    const concept = findInflected(text, order)
    if (concept) return [{ concept, text }, ...readTerms(tokens.slice(length), order)]
  }
  return [...splitCompound(first, order), ...readTerms(tokens.slice(1), order)]
}

/** Finds a word of the table's language in another form, such as "opiekuna" for "opiekun". */
function findInflected(text: string, [language = 'en']: readonly string[]): string | undefined {
  const minStem = 5
  const stems = [1, 2, 3].map((ending) => text.slice(0, -ending)).filter((stem) => stem.length >= minStem)
  return stems.map((stem) => dictionaries.get(language)?.get(stem)).find((concept) => concept !== undefined)
}

/** Finds a word in the language of the table, then in the others. Of these, only English is searched for a word of one or two letters. */
const findConcept = (text: string, [language = 'en', ...others]: readonly string[]): string | undefined =>
  [language, ...(text.length > 2 ? others : others.filter((other) => other === 'en'))]
    .map((name) => dictionaries.get(name)?.get(text))
    .find((concept) => concept !== undefined)

/** Splits words such as "Geschäftstelefon", which consist of two known words of the table's language. */
function splitCompound(word: string, [language = 'en']: readonly string[]): Term[] {
  const minLength = 3
  for (let end = word.length - minLength; end >= minLength; end--) {
    const head = findConcept(word.slice(0, end), [language]) ?? findConcept(word.slice(0, end).replace(/(s|n|en|-)$/, ''), [language])
    const tail = findConcept(word.slice(end), [language, 'en'])
    if (head && tail)
      return [
        { concept: head, text: word.slice(0, end) },
        { concept: tail, text: word.slice(end) },
      ]
  }
  return [{ concept: 'unknown', text: word }]
}
