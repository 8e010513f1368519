// Dates as `YYYY-MM-DD`, without times and time zones.

const dayMs = 86_400_000

const toMs = (date: string): number => Date.parse(`${date}T00:00:00Z`)
const toDate = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

export const addDays = (date: string, days: number): string => toDate(toMs(date) + days * dayMs)

/** Returns the Sunday on or before a date. */
export const startOfWeek = (date: string): string => addDays(date, -new Date(toMs(date)).getUTCDay())

/** Returns `count` dates, beginning with `first`. */
export const listDays = (first: string, count: number): string[] => Array.from({ length: count }, (_, index) => addDays(first, index))

export const isSameMonth = (one: string, other: string): boolean => one.slice(0, 7) === other.slice(0, 7)

/** Returns the same day of a later month, or of an earlier one if `months` is negative. In a shorter month it is the last day. */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return toDate(Date.UTC(year, month - 1 + months, Math.min(day, lastDay)))
}

/** Returns all days of the weeks, Sunday to Saturday, in which the month of `date` has a day. */
export function listMonthGrid(date: string): string[] {
  const first = startOfWeek(`${date.slice(0, 7)}-01`)
  const lastOfMonth = addDays(addMonths(`${date.slice(0, 7)}-01`, 1), -1)
  return listDays(first, (toMs(startOfWeek(lastOfMonth)) - toMs(first)) / dayMs + 7)
}

const format = (options: Intl.DateTimeFormatOptions, date: string): string =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(toMs(date))

/** Formats a date as "November 2026". */
export const formatMonth = (date: string): string => format({ month: 'long', year: 'numeric' }, date)

/** Formats a date as "Mon". */
export const formatWeekday = (date: string): string => format({ weekday: 'short' }, date)

/** Formats the days of a week as "22 to 28 November 2026". */
export function formatWeek(first: string): string {
  const last = addDays(first, 6)
  const start = isSameMonth(first, last) ? String(Number(first.slice(8))) : format({ day: 'numeric', month: 'short' }, first)
  const end = isSameMonth(first, last)
    ? format({ day: 'numeric', month: 'long', year: 'numeric' }, last)
    : format({ day: 'numeric', month: 'short', year: 'numeric' }, last)
  return `${start} to ${end}`
}
