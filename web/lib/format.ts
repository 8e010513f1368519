import type { Profile } from '#contract/accounts.ts'

type Place = { timezone: string | undefined; locale: string; currency: string }

/** Words are English; the country decides the order of day and month and the separators. */
let place: Place = { timezone: undefined, locale: 'en-GB', currency: 'EUR' }

/** From now on times and money are told as this person reads them. */
export function formatFor({ timezone, country, currency }: Pick<Profile, 'timezone' | 'country' | 'currency'>): void {
  place = { timezone, locale: country ? `en-${country}` : 'en-GB', currency }
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
const weekdaysToldFor = 6
const isoLocale = 'sv-SE' // writes 2026-11-21

/** The day that it is in the profile's time zone: "2026-11-21". */
export const today = (now = Date.now()): string => formatter({ dateStyle: 'short' }, isoLocale, isoLocale).format(now)

/** How many days from today to a date; less than 0 when it is over. Both are dates without a time: "2026-11-21". */
export const daysUntil = (date: string, now = Date.now()): number => Math.round((Date.parse(date) - Date.parse(today(now))) / dayMs)

/** A date as lists tell it: "Today", "Yesterday", "Tomorrow", "Tue" in the coming week, else "4 Dec": a weekday that is over reads like the next. */
export function dayInWords(date: string, now = Date.now()): string {
  const days = daysUntil(date, now)
  if (Math.abs(days) <= 1) return capitalised(daysInWords(days))
  if (days > 0 && days <= weekdaysToldFor) return dateWith({ weekday: 'short' }, date)
  return shortDay(date, now)
}

/** "4 Dec"; with the year where it is not this one. */
export const shortDay = (date: string, now = Date.now()): string =>
  dateWith({ day: 'numeric', month: 'short', ...(date.slice(0, 4) === today(now).slice(0, 4) ? {} : { year: 'numeric' }) }, date)

const yearGoesWithoutSayingDays = 240

/** "15 Jan"; with the year where it could be taken for another one. */
export const nearDay = (date: string, now = Date.now()): string =>
  Math.abs(daysUntil(date, now)) < yearGoesWithoutSayingDays ? dateWith({ day: 'numeric', month: 'short' }, date) : shortDay(date, now)

/** "Sat 21 Nov". */
export const weekdayAndDay = (date: string): string => dateWith({ weekday: 'short', day: 'numeric', month: 'short' }, date)

/** How far a day is, of `daysUntil`: "in 13 days", "yesterday". */
export const daysInWords = (days: number): string => new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(days, 'day')

/** "Saturday, 21 November 2026". */
export const exactDay = (date: string): string => dateWith({ dateStyle: 'full' }, date)

/** "£26,400", "£26,400.50": an amount in the profile's currency. */
export const money = (amount: number): string =>
  new Intl.NumberFormat(place.locale, { style: 'currency', currency: place.currency, trailingZeroDisplay: 'stripIfInteger' }).format(amount)

/** "1,284". */
export function count(number: number): string {
  return new Intl.NumberFormat(place.locale).format(number)
}

/** "12", or "1,000+" where the server stopped counting. */
export const cappedCount = (counted: { count: number; more: boolean }): string => `${count(counted.count)}${counted.more ? '+' : ''}`

/** "1 contact", "1,284 contacts". */
export const countOf = (number: number, one: string, many = `${one}s`): string => `${count(number)} ${number === 1 ? one : many}`

/** "Contact" of "contact", at the beginning of a sentence. */
export const capitalised = (words: string): string => `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`

function day(at: string, now: number): string {
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  return formatter({ day: 'numeric', month: 'short', ...(sameYear ? {} : { year: 'numeric' }) }).format(new Date(at))
}

/** A date without a time is the same day everywhere. */
const dateWith = (options: Intl.DateTimeFormatOptions, date: string): string =>
  new Intl.DateTimeFormat(place.locale, { ...options, timeZone: 'UTC' }).format(Date.parse(date))

function formatter(options: Intl.DateTimeFormatOptions, locale = place.locale, otherwise = 'en-GB'): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: place.timezone })
  } catch {
    return new Intl.DateTimeFormat(otherwise, options) // a zone or country that this browser has not heard of
  }
}
