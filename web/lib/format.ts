import type { Profile } from '#contract/accounts.ts'

type Region = { timezone: string | undefined; locale: string; currency: string }

/** The language is always English; the country decides the order of day and month and the separators. */
let region: Region = { timezone: undefined, locale: 'en-GB', currency: 'EUR' }

/** Sets the time zone, country and currency of all formats. */
export function formatFor({ timezone, country, currency }: Pick<Profile, 'timezone' | 'country' | 'currency'>): void {
  region = { timezone, locale: country ? `en-${country}` : 'en-GB', currency }
}

const steps: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** "3 hours ago", "yesterday"; after a week the day itself. `at` is an ISO time. */
export function relativeTime(at: string, now = Date.now()): string {
  const seconds = (new Date(at).getTime() - now) / 1000
  if (Math.abs(seconds) < 45) return 'just now'
  if (Math.abs(seconds) >= 7 * 86_400) return day(at, now)
  const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
  const [unit, size] = steps.find(([, each]) => Math.abs(seconds) >= each) ?? ['minute', 60]
  return words.format(Math.round(seconds / size) || Math.sign(seconds), unit)
}

/** "Tue, 17 November 2026 at 09:30 GMT", in the profile's time zone. */
export function exactTime(at: string): string {
  return formatter({ dateStyle: 'full', timeStyle: 'long' }).format(new Date(at))
}

const dayMs = 86_400_000
const maxWeekdayDays = 6
const isoLocale = 'sv-SE' // writes 2026-11-21

/** The current day in the profile's time zone: "2026-11-21". */
export const today = (now = Date.now()): string => formatter({ dateStyle: 'short' }, isoLocale, isoLocale).format(now)

/** The number of days from today to a date such as "2026-11-21"; negative for past dates. */
export const daysUntil = (date: string, now = Date.now()): number => Math.round((Date.parse(date) - Date.parse(today(now))) / dayMs)

/** A date in a list: "Today", "Yesterday", "Tomorrow", "Tue" in the coming week, else "4 Dec". */
export function relativeDay(date: string, now = Date.now()): string {
  const days = daysUntil(date, now)
  if (Math.abs(days) <= 1) return capitalised(daysFromNow(days))
  if (days > 0 && days <= maxWeekdayDays) return dateWith({ weekday: 'short' }, date)
  return shortDay(date, now)
}

/** "4 Dec"; with the year when it is not the current one. */
export const shortDay = (date: string, now = Date.now()): string =>
  dateWith({ day: 'numeric', month: 'short', ...(date.slice(0, 4) === today(now).slice(0, 4) ? {} : { year: 'numeric' }) }, date)

const maxDaysWithoutYear = 240

/** "15 Jan"; with the year when the date is 240 days away or more. */
export const nearDay = (date: string, now = Date.now()): string =>
  Math.abs(daysUntil(date, now)) < maxDaysWithoutYear ? dateWith({ day: 'numeric', month: 'short' }, date) : shortDay(date, now)

/** "Sat 21 Nov". */
export const weekdayAndDay = (date: string): string => dateWith({ weekday: 'short', day: 'numeric', month: 'short' }, date)

/** A result of `daysUntil` in words: "in 13 days", "yesterday". */
export const daysFromNow = (days: number): string => new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(days, 'day')

/** "Saturday, 21 November 2026". */
export const exactDay = (date: string): string => dateWith({ dateStyle: 'full' }, date)

/** "£26,400", "£26,400.50": an amount in the profile's currency. */
export const money = (amount: number): string =>
  new Intl.NumberFormat(region.locale, { style: 'currency', currency: region.currency, trailingZeroDisplay: 'stripIfInteger' }).format(
    amount,
  )

/** "1,284". */
export function count(number: number): string {
  return new Intl.NumberFormat(region.locale).format(number)
}

/** "12", or "1,000+" where the server stopped counting. */
export const cappedCount = (counted: { count: number; more: boolean }): string => `${count(counted.count)}${counted.more ? '+' : ''}`

/** "1 contact", "1,284 contacts". */
export const countOf = (number: number, one: string, many = `${one}s`): string => `${count(number)} ${number === 1 ? one : many}`

/** Begins a text with a capital letter. */
export const capitalised = (words: string): string => `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`

function day(at: string, now: number): string {
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  return formatter({ day: 'numeric', month: 'short', ...(sameYear ? {} : { year: 'numeric' }) }).format(new Date(at))
}

/** Formats a date without a time, which is the same in every time zone. */
const dateWith = (options: Intl.DateTimeFormatOptions, date: string): string =>
  new Intl.DateTimeFormat(region.locale, { ...options, timeZone: 'UTC' }).format(Date.parse(date))

function formatter(options: Intl.DateTimeFormatOptions, locale = region.locale, fallbackLocale = 'en-GB'): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: region.timezone })
  } catch {
    return new Intl.DateTimeFormat(fallbackLocale, options) // the browser does not know the time zone or country
  }
}
