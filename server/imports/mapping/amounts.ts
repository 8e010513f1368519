// Reads amounts, percentages and numbers of employees as they are written in different countries.
import { normalizeText, parseList } from './headers.ts'
import { maxLength, type NumberFormat } from './values.ts'
import vocabulary from './vocabulary.json' with { type: 'json' }

const currencies = new Set([...Intl.supportedValuesOf('currency').map(normalizeText), ...parseList(vocabulary.currency)])
const amountNotes = new Set(parseList(vocabulary.amountNote))
/** The powers of ten of words such as "Mio." */
const powers = new Map(
  Object.entries(vocabulary.power).flatMap(([power, list]) => parseList(list).map((word): [string, number] => [word, Number(power)])),
)
/** Words that are a power of ten only in an amount that begins with a currency, as in "£2m": "2 m€" are two thousand in Spain. */
const uncertainPowers = new Set(parseList(vocabulary.uncertainPower))

/** The number in a text: from its first digit, with separators between the digits. */
const numberInText = /\d(?:[\d.,\s'’]*\d)?/

/**
 * Returns an amount or a percentage such as "1.234,50 €", "$1,234.50", "(20)", "40 %" or "2 Mio. €"; undefined for other texts, also for
 * numbers before a word that is not known.
 */
export function readNumber(cell: string, { decimal }: NumberFormat = {}): number | undefined {
  const text = cell.slice(0, maxLength).trim()
  const number = numberInText.exec(text)
  if (!number) return undefined
  const prefix = text.slice(0, number.index)
  const suffix = text.slice(number.index + number[0].length)
  const sign = /^\(?([-−]?)(?:\p{L}{1,3}\.?|\p{Sc}){0,2}([-−]?)$/u.exec(prefix.replaceAll(/\s/g, ''))
  if (!sign || !/^(?:[.,]+[-–]?)?[\p{L}\p{Sc}.%\s]{0,24}\)?$/u.test(suffix)) return undefined
  const power = readPower(splitAffix(prefix), splitAffix(suffix))
  if (power === undefined) return undefined
  const digits = number[0].replaceAll(/[\s'’]/g, '')
  // the separator of the column decides only about a number with one separator: several equal ones are of thousands
  const separator = findSeparator(digits) ?? (decimal && digits.split(decimal).length === 2 ? decimal : undefined)
  // a thousand times as much would also be likely, as in "1.125 Mio."
  if (power > 0 && !decimal && !separator && /^\d{1,3}[.,]\d{3}$/.test(digits)) return undefined
  const [whole = '', fraction = ''] = separator ? splitLast(digits, separator) : [digits]
  const value = Number(`${whole.replaceAll(/[.,]/g, '')}.${fraction.replaceAll(/[.,]/g, '') || 0}e${power}`)
  return sign[1] || sign[2] || prefix.startsWith('(') ? -value : value
}

/** Returns the words and the signs of currencies before or after a number. The sign of "T€" and "M€" becomes a part of the word. */
const splitAffix = (affix: string): string[] => affix.replace(/(?<!\p{L})([tTkKM])\s*€/u, '$1eur').match(/\p{L}+|\p{Sc}/gu) ?? []

/**
 * Returns the power of ten by which the words multiply a number. Undefined if there are several, or if a word after the number is not known.
 * A letter before the number is a currency, as in "K 500".
 */
function readPower(before: readonly string[], after: readonly string[]): number | undefined {
  const isAfterCurrency = before.some((word) => powerOf(word) === 0)
  const powersAfter = after.map((word) => {
    const isUncertain = !word.startsWith('M') && uncertainPowers.has(normalizeText(word))
    return isUncertain && !isAfterCurrency ? undefined : powerOf(word)
  })
  const powersBefore = before.map((word) => (word.length > 1 ? (powerOf(word) ?? 0) : 0))
  const [power = 0, ...others] = [...powersBefore, ...powersAfter].filter((each) => each !== 0)
  return powersAfter.includes(undefined) || others.length > 0 ? undefined : power
}

/** Returns 3 for "Tsd." and "kEUR", and 0 for a currency or a note such as "net"; undefined for other words. */
function powerOf(text: string): number | undefined {
  const word = normalizeText(text)
  if (word === '' || currencies.has(word) || amountNotes.has(word)) return 0 // the sign of a currency has no letters
  const power = powers.get(word)
  if (power !== undefined) return power
  for (let end = 1; end < word.length; end++) {
    const head = word.slice(0, end)
    if (currencies.has(word.slice(end))) return head === 't' ? 3 : powers.get(head)
  }
  return undefined
}

/** Returns the decimal separator of the number in a text, as far as the number says it. */
export const findDecimal = (text: string): ',' | '.' | undefined =>
  findSeparator((numberInText.exec(text)?.[0] ?? '').replaceAll(/[\s'’]/g, ''))

/**
 * Returns the decimal separator: the last of two different ones, or a single one unless it is before exactly three digits and can be one of
 * thousands.
 */
function findSeparator(digits: string): ',' | '.' | undefined {
  const last = digits.lastIndexOf(',') > digits.lastIndexOf('.') ? ',' : '.'
  const other = last === ',' ? '.' : ','
  if (digits.includes(other) && digits.includes(last)) return last
  return new RegExp(`^\\d+[${last}](\\d{1,2}|\\d{4,})$|^(0|\\d{4,})[${last}]\\d{3}$`).test(digits) ? last : undefined
}

const splitLast = (text: string, separator: string): [string, string] => [
  text.slice(0, text.lastIndexOf(separator)),
  text.slice(text.lastIndexOf(separator) + 1),
]
