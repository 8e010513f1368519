import { casual, GB, type ParsedResult } from 'chrono-node/en'
import { dayLimits } from '#contract/fields.ts'
import type { DayFormat } from '#web/records/form/typedDay.ts'

/** A date that was found in the title of a task. */
export type DueDateReading = {
  /** The words that name the date: "fri". Empty if the same words also name a time, such as "tonight"; then they stay in the title. */
  words: string
  due_date: string
  /** The title without these words. */
  title: string
  /** Whether a time of day was found next to the date. The time stays in the title. */
  hasTime: boolean
}

type ReadingOptions = {
  /** The current day in the profile's time zone: "2026-11-21". */
  today: string
  /** How the profile's country writes dates. */
  dayFormat: DayFormat
}

type Parse = (text: string) => ParsedResult[]
/** The words that name the date, and the parts of the title before and after them. */
type DateWords = { words: string; before: string; after: string }

/** The hour that the parser assumes for a date without a time. */
const assumedHour = 12
/** Words directly before a date, such as "by", that are removed from the title together with the date. */
const prepositions = /(^|[\s(])(?:(?:on|by|due|until)\s+)+(?:the\s+)?$/i
/** Words at the end of a text after which a date is not a due date but a part of the sentence: "every" in "clean every friday". */
const wordsThatRuleOutDueDate =
  /(^|\s)(a|about|after|an|and|any|are|at|be|before|each|every|for|from|in|is|like|of|or|per|since|than|the|till|to|was|with)\s*$/i
/** The first words of days with a name of their own, such as Black Friday. */
const namedDays = /\b(ash|black|cyber|easter|good|palm|shrove|whit)\s+$/i
/** What separates a date at the start of a title from the task: "fri: call Imara". */
const separator = /^\s*(?:[:,]|[–—-]\s)\s*/

/**
 * Finds a date at the end or the start of a title: "call the supplier fri 3pm". The time of day stays in the title, because a task is due
 * on a day. Returns undefined when the words may mean something else, and for dates in the past, ranges and months, which are no due dates.
 */
export function readDueDate(title: string, options: ReadingOptions): DueDateReading | undefined {
  const { today, dayFormat } = options
  const parser = dayFormat.order[0] === 'month' ? casual : GB
  const parse: Parse = (text) => parser.parse(text, new Date(`${today}T12:00:00`), { forwardDate: true })
  const text = replaceDots(title, dayFormat)
  for (const result of parse(text).filter(isDueDate).toReversed()) {
    const due_date = formatIsoDay(result)
    const dateWords = findDateWords(result, { parse, text, title })
    if (!dateWords || due_date < today || due_date > dayLimits.last) continue
    const { words } = dateWords
    const restOfTitle = removeWords(result, dateWords, title)
    // with another date in the rest of the title, it is not clear which of them is the due date
    const hasOtherDate = words !== '' && readDueDate(restOfTitle ?? '', options) !== undefined
    if (!restOfTitle || hasOtherDate) continue
    return { words, due_date, title: restOfTitle, hasTime: words !== '' && result.start.isCertain('hour') }
  }
  return undefined
}

/**
 * For countries that write dates with dots, replaces "1.12." by "1/12 ", which the parser understands. The new text has the same length, so
 * that positions in it are also positions in the title. A date must end with a dot, or follow a preposition: "by 1.12".
 */
function replaceDots(title: string, { order, separator: sign }: DayFormat): string {
  if (order[0] !== 'day' || sign !== '.') return title
  const dayAndMonth = String.raw`([0-2]?\d|3[01])\.(0?[1-9]|1[0-2])`
  // the date begins a word, does not follow a word such as "version", and is followed by a space, a colon, a comma or the end
  const withDot = new RegExp(String.raw`(?<!\S)(?<!\b(?:chapter|release|section|version)\s+)${dayAndMonth}\.(?![^\s:,])`, 'gi')
  const afterPreposition = new RegExp(String.raw`(?<=(?:^|\s)(?:on|by|due|until)\s+)${dayAndMonth}(?![^\s:,])`, 'gi')
  return title.replaceAll(withDot, '$1/$2 ').replaceAll(afterPreposition, '$1/$2')
}

/** Returns false for ranges, dates without a day, and texts such as "last friday". */
function isDueDate({ text, start, end }: ParsedResult): boolean {
  const isDay = start.isCertain('day') || start.isCertain('weekday')
  const isRange = end && (end.get('day') !== start.get('day') || end.get('month') !== start.get('month'))
  return isDay && !isRange && !/^(last|past)\b/i.test(text)
}

/** Returns the words that name the day, with the texts around them; undefined when the result names a time only, such as "in 2 hours". */
function findDateWords(result: ParsedResult, { parse, text, title }: { parse: Parse; text: string; title: string }): DateWords | undefined {
  const dayText = findDayText(result, parse)
  if (dayText === undefined) return undefined
  if (dayText === '') return { words: '', before: title.slice(0, result.index), after: title.slice(result.index + result.text.length) }
  const words = dayText.replace(/^[\s,(]*(?:on\s+)?/i, '').replace(/[\s,)]+$/, '')
  const start = text.indexOf(words, text.indexOf(dayText, result.index))
  const wordsEnd = start + words.length
  // includes the dot of "1.12." that `replaceDots` has replaced by a space
  const end = title.charAt(wordsEnd) === '.' && text.charAt(wordsEnd) === ' ' ? wordsEnd + 1 : wordsEnd
  return { words: title.slice(start, end), before: title.slice(0, start), after: title.slice(end) }
}

/**
 * Returns the part of the found text that names the day: "fri" of "fri at 3pm". Returns an empty text when the same words name the day and
 * the time: "tonight". Returns undefined when the text names only a time.
 */
function findDayText({ text, start }: ParsedResult, parse: Parse): string | undefined {
  if (start.get('hour') === assumedHour && !start.isCertain('hour')) return text
  // the parser assumes noon for a text without a time
  const isDateOnly = (part: string) => parse(part).some((each) => each.start.get('hour') === assumedHour && !each.start.isCertain('hour'))
  // all ways to divide the text into two parts between words; one part must name the day, the other the time
  const splits = [...text.matchAll(/\s+/g)].map(({ index }) => [text.slice(0, index), text.slice(index)] as const)
  for (const [first, second] of splits) {
    if (isDateOnly(first) && !isDateOnly(second)) return first
    if (!isDateOnly(first) && isDateOnly(second)) return second
  }
  return start.isCertain('hour') ? undefined : ''
}

/** Returns the title without the words of the date, or undefined when the words may belong to the title: "Meet at 5 Friday Street". */
function removeWords(result: ParsedResult, { words, before, after }: DateWords, title: string): string | undefined {
  const rest = before.replace(prepositions, '$1')
  const hasPreposition = rest !== before
  const hasTime = result.start.isCertain('hour')
  if (wordsThatRuleOutDueDate.test(rest)) return undefined
  if (!hasPreposition && isName(words, before, hasTime)) return undefined
  if (/^\d+\/\d+$/.test(words) && !hasPreposition) return undefined // may be a fraction, such as 1/2
  const isAtEnd = /^[\s.!?)]*$/.test(title.slice(result.index + result.text.length))
  const isAtStart = title.slice(0, result.index).replace(prepositions, '').trim() === ''
  const isBeforeCapital = /^\s+\p{Lu}/u.test(after) // "On Friday Street repair the lamp"
  const isSeparated = hasTime || separator.test(after) || (hasPreposition && !isBeforeCapital)
  if (!isAtEnd && !(isAtStart && isSeparated)) return undefined
  if (words === '') return title.trim()
  if (rest.endsWith('(') && after.startsWith(')')) return collapseSpaces(`${rest.slice(0, -1)}${after.slice(1)}`)
  if (rest.trim() === '') return collapseSpaces(after.replace(separator, ''))
  const restWithoutPunctuation = rest.replace(/[\s,;:–—-]+$/, '')
  const space = /^[\s.!?:,]/.test(after) ? '' : ' '
  return collapseSpaces(`${restWithoutPunctuation}${space}${after}`)
}

/** Whether a word is a name because of the word before it: "Friday" in "Black Friday", or in "Mr Friday" if no time of day follows. */
function isName(words: string, before: string, hasTime: boolean): boolean {
  if (!/^[a-z]+$/i.test(words)) return false
  if (namedDays.test(before)) return true
  const isAfterCapitalisedWord = /\S\s+\p{Lu}[^\s,;:–—-]*\s+$/u.test(before) // not the first word, which always has a capital letter
  return !hasTime && /^\p{Lu}/u.test(words) && isAfterCapitalisedWord
}

const collapseSpaces = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

function formatIsoDay({ start }: ParsedResult): string {
  const pad = (number: number | null, length: number): string => String(number).padStart(length, '0')
  return `${pad(start.get('year'), 4)}-${pad(start.get('month'), 2)}-${pad(start.get('day'), 2)}`
}
