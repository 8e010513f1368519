// Reads values of cells as they are written in different countries: e-mail addresses, dates and countries.
import { getCountries } from 'libphonenumber-js'
import { toAsciiDomain } from '#contract/fields.ts'
import { normalizeText, parseList, splitWords } from './headers.ts'
import vocabulary from './vocabulary.json' with { type: 'json' }
import words from './words.json' with { type: 'json' }

/**
 * How the cells of a column are written: whether the day comes before the month, the decimal separator, and whether probabilities are
 * fractions, so that 1 is 100 %.
 */
export type NumberFormat = { isDayFirst?: boolean; decimal?: ',' | '.'; isFraction?: boolean }

/** The maximum length, in characters, of the part of a cell in which values are searched. */
export const maxLength = 1000

/** Removes the characters without a width, such as the marks of the direction of writing, that programs copy with emails and phones. */
export const withoutInvisible = (text: string): string => text.replaceAll(/[\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g, '')

/** Returns the e-mail addresses of a cell, such as "Ada <ada@example.org>; a@b.cz". */
export const findEmails = (cell: string): string[] =>
  (withoutInvisible(cell.slice(0, maxLength)).match(emailInText) ?? []).map((email) => toAsciiDomain(email.replace(/\.$/, '')))

/** The lookbehind lets the search begin only at the first character of an address, because one from each character takes quadratic time. */
const emailInText = /(?<![^\s<>,;:"'()[\]|])[^\s<>,;:"'()[\]|]+@[^\s<>,;:"'()[\]|@]+\.[^\s<>,;:"'()[\]|@]{2,}/gu

export const isUrl = (cell: string): boolean =>
  /^https?:\/\/\S+$/i.test(cell) || /^(?!\S*@)([\p{L}\d-]+\.)+\p{L}{2,}(\/\S*)?$/iu.test(cell.trim())

/** Returns the address of a website with its protocol. */
export const readUrl = (cell: string): string | undefined => {
  const url = cell.trim()
  if (!isUrl(url)) return undefined
  return /^https?:/i.test(url) ? url : `https://${url}`
}

const monthByName = new Map(
  Object.keys(words).flatMap((language) =>
    (['long', 'short'] as const).flatMap((style) =>
      Array.from({ length: 12 }, (_, month): [string, number] => {
        const options = { day: 'numeric', month: style, timeZone: 'UTC' } as const // with a day, Slavic names have the form of dates
        const parts = new Intl.DateTimeFormat(language, options).formatToParts(Date.UTC(2024, month, 1))
        return [normalizeText(parts.find(({ type }) => type === 'month')?.value ?? ''), month + 1]
      }),
    ),
  ),
)

/** Returns the day of a date as "2026-12-31", without its time; undefined for other texts. Without a format, the day comes first. */
export function readDate(cell: string, { isDayFirst = true }: NumberFormat = {}): string | undefined {
  const text = cell.slice(0, maxLength).trim()
  const isoDay = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:$|[T\s,])/.exec(text) ?? /^(20\d\d|19\d\d)(\d\d)(\d\d)$/.exec(text)
  if (isoDay) return toDay(Number(isoDay[1]), Number(isoDay[2]), Number(isoDay[3]))
  const numeric = /^(\d{1,2})\s?[./-]\s?(\d{1,2})\s?[./-]\s?(\d{4}|\d\d)\.?(?:$|[T\s,])/.exec(text)
  if (numeric) {
    const [first, second] = [Number(numeric[1]), Number(numeric[2])]
    const isDay = first > 12 || (isDayFirst && second <= 12)
    return toDay(toYear(numeric[3]), isDay ? second : first, isDay ? first : second)
  }
  const named =
    /^(?:\p{L}+,?\s+)?(\d{1,2})(?:st|nd|rd|th|er|º|\.)?[\s-]+(?:de\s+)?(\p{L}+)\.?,?[\s-]+(?:de\s+)?(\d{4}|\d\d)(?:$|[\s,])/u.exec(text)
  if (named) return toDay(toYear(named[3]), monthByName.get(normalizeText(named[2] ?? '')), Number(named[1]))
  const american = /^(?:\p{L}+,\s+)?(\p{L}+)\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?:$|[\s,])/u.exec(text)
  if (american) return toDay(Number(american[3]), monthByName.get(normalizeText(american[1] ?? '')), Number(american[2]))
  return undefined
}

/** Whether a date has a time that is not midnight, as in "2026-12-31 14:30" or "12/31/2026 2:30 PM". */
export function hasTime(cell: string): boolean {
  const match = /(\d{1,2}):(\d\d)(?::(\d\d))?(?:\.\d+)?\s*([ap])?/i.exec(cell.slice(0, maxLength))
  if (!match) return false
  const [, hour, minute, second = '0', half] = match
  const isMidnight = Number(hour) === 0 || (Number(hour) === 12 && half?.toLowerCase() === 'a')
  return !isMidnight || Number(minute) > 0 || Number(second) > 0
}

const toYear = (year = ''): number => (year.length === 2 ? Number(year) + (Number(year) < 70 ? 2000 : 1900) : Number(year))

function toDay(year: number, month: number | undefined, day: number): string | undefined {
  if (!month || year < 1900 || year > 2199) return undefined
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.toISOString().slice(0, 10) : undefined
}

const countryNames = new Set([
  ...parseList(vocabulary.placeName),
  ...Object.keys(words).flatMap((language) => {
    const names = new Intl.DisplayNames([language], { type: 'region' })
    return getCountries().flatMap((code) => (code.length === 2 ? normalizeText(names.of(code) ?? '') : []))
  }),
])

export const isCountry = (cell: string): boolean => countryNames.has(normalizeText(cell))

/** Whether one of the words of a cell is in a list of the vocabulary. */
export const hasWordOf = (cell: string, list: ReadonlySet<string>): boolean =>
  splitWords(cell).some((word) => list.has(word)) || list.has(normalizeText(cell))
