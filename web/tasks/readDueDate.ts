import { casual, GB, type ParsedResult } from 'chrono-node/en'
import { dayLimits } from '#contract/records.ts'

/** A date that was found in the title of a task. */
export type DueDateReading = {
  /** The words that name the date: "fri". Empty if they name the time too, as "tonight" does, and stay in the title. */
  words: string
  due_date: string
  /** The title without these words. */
  title: string
}

type ReadingOptions = {
  /** The current day in the profile's time zone: "2026-11-21". */
  today: string
  /** Whether 3/4 is the 4th of March. */
  isMonthFirst: boolean
}

/** The hour that the parser assumes for a date without a time. */
const assumedHour = 12

/**
 * Finds the last date in a title: "call the supplier fri 3pm". The time of day stays in the title, because a task is due on a day. Returns
 * undefined for titles without a date, and for dates in the past, ranges and months, which are no due dates.
 */
export function readDueDate(title: string, { today, isMonthFirst }: ReadingOptions): DueDateReading | undefined {
  const parse = (text: string) => (isMonthFirst ? casual : GB).parse(text, new Date(`${today}T12:00:00`), { forwardDate: true })
  const result = parse(title).findLast((each) => isDueDate(each, title))
  if (!result) return undefined
  const due_date = formatIsoDay(result)
  const words = findDateWords(result, parse)
  if (words === undefined || due_date < today || due_date > dayLimits.last) return undefined
  const restOfTitle = removeWords(title, words, result.index)
  return restOfTitle ? { words: words.trim(), due_date, title: restOfTitle } : undefined
}

/** Removes the words, with a "by" or "on" before them. `index` is where the words or the time before them start. */
function removeWords(title: string, words: string, index: number): string {
  if (words === '') return title.trim()
  const start = title.indexOf(words, index)
  const before = title.slice(0, start).replace(/(^|\s)(by|due|on)\s*$/i, ' ')
  return `${before} ${title.slice(start + words.length)}`.replaceAll(/\s+/g, ' ').trim()
}

/** Returns false for dates that say something else than when the task is due: "the report from Monday", "sun cream". */
function isDueDate({ index, text, start, end }: ParsedResult, title: string): boolean {
  const isDay = start.isCertain('day') || start.isCertain('weekday')
  const isOtherWord = /^(sat|sun)$/i.test(text) && index + text.length < title.trimEnd().length
  const isRelatedDate = /\b(after|before|from|of|since|until|till)\s*$/i.test(title.slice(0, index)) || /^(last|past)\b/i.test(text)
  const isRange = end && (end.get('day') !== start.get('day') || end.get('month') !== start.get('month'))
  return isDay && !isRange && !isOtherWord && !isRelatedDate
}

/**
 * Returns the part of the found words that names the day: "fri" of "fri at 3pm". Returns an empty text when the words name the time too, such
 * as "tonight", and undefined when they name a time only, such as "in 2 hours".
 */
function findDateWords({ text, start }: ParsedResult, parse: (text: string) => ParsedResult[]): string | undefined {
  if (start.get('hour') === assumedHour && !start.isCertain('hour')) return text
  const isDateOnly = (part: string) => parse(part).some((each) => each.start.get('hour') === assumedHour && !each.start.isCertain('hour'))
  const splits = [...text.matchAll(/\s+/g)].map(({ index }) => [text.slice(0, index), text.slice(index)] as const)
  for (const [first, second] of splits) {
    if (isDateOnly(first) && !isDateOnly(second)) return first
    if (!isDateOnly(first) && isDateOnly(second)) return second
  }
  return start.isCertain('hour') ? undefined : ''
}

function formatIsoDay({ start }: ParsedResult): string {
  const pad = (number: number | null, length: number): string => String(number).padStart(length, '0')
  return `${pad(start.get('year'), 4)}-${pad(start.get('month'), 2)}-${pad(start.get('day'), 2)}`
}
