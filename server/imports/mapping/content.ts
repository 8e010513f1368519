// Recognises what the cells of a column contain.
import { findDecimal, readNumber } from './amounts.ts'
import firstNames from './first-names.json' with { type: 'json' }
import { readChoice } from './choices.ts'
import type { Column } from './column-mapping.ts'
import { normalizeText, parseList, splitWords } from './headers.ts'
import { findPhones, isPhone } from './phones.ts'
import { findEmails, hasWordOf, isCountry, isUrl, readDate, type NumberFormat } from './values.ts'
import vocabulary from './vocabulary.json' with { type: 'json' }

const yesAndNo = new Set([...parseList(vocabulary.yes), ...parseList(vocabulary.no)])
const salutations = new Set(parseList(vocabulary.salutation))
const companyWords = new Set(parseList(vocabulary.companyWord))
const jobWords = new Set(parseList(vocabulary.jobWord))
const streetWords = new Set(parseList(vocabulary.streetWord))
const cities = new Set(parseList(vocabulary.city))
const givenNames = new Set(parseList(firstNames.names))

const detectors = {
  email: (cell: string) => findEmails(cell).length > 0,
  phone: isPhone,
  looksLikePhone: (cell: string) => findPhones(cell).length > 0 && readDate(cell) === undefined,
  url: isUrl,
  date: (cell: string) => readDate(cell) !== undefined,
  number: (cell: string) => readNumber(cell) !== undefined,
  withoutLetters: (cell: string) => !/\p{L}/u.test(cell),
  yesOrNo: (cell: string) => yesAndNo.has(normalizeText(cell)),
  salutation: (cell: string) => salutations.has(normalizeText(cell)),
  country: isCountry,
  company: (cell: string) =>
    /\b(s\.?\s?a\.?|b\.?v\.?|a\.?\s?[sş]\.?|s\.?r\.?o\.?|sp\. z o\.?o\.?|e\.?\s?v\.?|&)(\s|$)/iu.test(cell) ||
    hasWordOf(cell, companyWords),
  job: (cell: string) => hasWordOf(cell, jobWords),
  street: (cell: string) =>
    /\d/.test(cell) &&
    /\p{L}{3}/u.test(cell) &&
    (hasWordOf(cell, streetWords) ||
      /(str\.|stra(ss|ß)e|gasse|weg|platz|allee|gatan|vägen|straat|laan|plein|gracht|singel)\b/iu.test(cell)),
  postalCode: (cell: string) =>
    /^([a-z]{1,2}-?)?(\d{3,5}|\d{2}[-\s]\d{3}|\d{3}\s\d{2}|\d{4}\s?[a-z]{2}|\d{5}-\d{3,4}|\d{4}-\d{3})$/i.test(cell.trim()) ||
    /^([a-z]{1,2}\d[a-z\d]?\s?\d[a-z]{2}|[a-z]\d[a-z]\s?\d[a-z]\d)$/i.test(cell.trim()),
  givenName: (cell: string) => givenNames.has(splitWords(cell)[0] ?? ''),
  properName: (cell: string) => /^\p{Lu}[\p{L}.'’\-\s]*$/u.test(cell) && splitWords(cell).length <= 5,
  stage: (cell: string) => readChoice('stage', cell) !== undefined,
  status: (cell: string) => readChoice('status', cell) !== undefined,
  city: (cell: string) => cities.has(normalizeText(cell)),
  stateCode: (cell: string) => /^\p{Lu}{2}$/u.test(cell),
  severalWords: (cell: string) => splitWords(cell).length >= 2,
} as const
type Content = keyof typeof detectors

/** Returns the share, from 0 to 1, of the filled cells that have the content; 0 if no cell is filled. */
export function share(content: Content, samples: readonly string[]): number {
  const filled = filledCells(samples)
  return filled.length === 0 ? 0 : filled.filter(detectors[content]).length / filled.length
}

const filledCells = (samples: readonly string[]): string[] => samples.map((sample) => sample.trim()).filter((sample) => sample !== '')

/** Whether more than half of the filled cells have the content. */
export const isMostly = (content: Content, samples: readonly string[]): boolean => share(content, samples) > 0.5

export const isEmpty = (samples: readonly string[]): boolean => filledCells(samples).length === 0

/** For each `content` of the rules of fields.json, whether the cells can have it. */
const expectations: Record<string, (samples: readonly string[]) => boolean> = {
  email: (samples) => share('email', samples) >= 0.5,
  phone: (samples) => share('looksLikePhone', samples) >= 0.5,
  url: (samples) => share('url', samples) >= 0.5,
  date: (samples) => share('date', samples) >= 0.5,
  number: (samples) => share('number', samples) >= 0.5,
  stage: (samples) => isMostly('stage', samples),
  status: (samples) => isMostly('status', samples),
  name: (samples) => isText(samples) && !isMostly('withoutLetters', samples) && !isMostly('salutation', samples),
  link: (samples) => isMostly('email', samples) || canBe('name', samples), // contacts are found by their names and emails
  text: (samples) => isText(samples),
  code: (samples) => !isMostly('email', samples) && !isMostly('url', samples),
  any: () => true,
}

const isText = (samples: readonly string[]): boolean =>
  (['email', 'phone', 'date'] as const).every((content) => !isMostly(content, samples)) &&
  !samples.some((sample) => /^https?:/i.test(sample.trim()))

/** Whether the cells can be values of a field that expects `content`. True for an empty column, and for a content without a test. */
export const canBe = (content: string, samples: readonly string[]): boolean =>
  isEmpty(samples) || (expectations[content]?.(samples) ?? true)

/** Finds out how a column writes dates and numbers. Dates that fit both orders are read as in the language of the headers. */
export function findFormat(field: string, language: string, { samples, isExcel }: Column = emptyColumn): NumberFormat {
  const pairs = filledCells(samples).flatMap((cell) => {
    const match = /^(\d{1,2})\s?([./-])\s?(\d{1,2})\s?[./-]\s?\d{2,4}/.exec(cell)
    return match ? [{ first: Number(match[1]), separator: match[2], second: Number(match[3]) }] : []
  })
  const isMonthFirst =
    pairs.length > 0 &&
    !pairs.some(({ first }) => first > 12) &&
    (pairs.some(({ second }) => second > 12) || (language === 'en' && pairs.every(({ separator }) => separator === '/')))
  const found = filledCells(samples)
    .map(findDecimal)
    .find((separator) => separator !== undefined)
  const decimal = found ?? (isExcel && hasStoredNumbers(samples) ? '.' : undefined)
  const format = { isDayFirst: !isMonthFirst, ...(decimal && { decimal }) }
  return field === 'probability' ? { ...format, ...findFraction(samples, format) } : format
}

const emptyColumn: Column = { header: null, samples: [] }

/** Whether all cells with points are numbers as Excel stores them, and not texts such as "1.500 €". */
const hasStoredNumbers = (samples: readonly string[]): boolean =>
  filledCells(samples).every((cell) => !cell.includes('.') || /^-?\d+\.\d*[1-9]%?$/.test(cell))

/** Finds out whether probabilities are fractions. A column of only zeros and ones does not say it. */
function findFraction(samples: readonly string[], format: NumberFormat): Pick<NumberFormat, 'isFraction'> {
  const numbers = filledCells(samples).flatMap((cell) => (cell.includes('%') ? [] : (readNumber(cell, format) ?? [])))
  if (numbers.some((number) => number > 1)) return { isFraction: false }
  return numbers.some((number) => number > 0 && number < 1) ? { isFraction: true } : {}
}
