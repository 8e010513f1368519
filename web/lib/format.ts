import type { Profile } from '#contract/accounts.ts'
import { localeOf } from '#contract/locales.ts'

type Region = { timezone: string | undefined; locale: string; currency: string }

/** The language is always English. The country sets the order of day and month, and the separators of numbers. */
let region: Region = { timezone: undefined, locale: 'en-GB', currency: 'EUR' }

/** Sets the time zone, country and currency of all formats. */
export function setRegion({ timezone, country, currency }: Pick<Profile, 'timezone' | 'country' | 'currency'>): void {
  region = { timezone, locale: localeOf(country), currency }
}

/** Returns the locale of all formats. */
export const getLocale = (): string => region.locale

const maxJustNowSeconds = 45

/**
 * Formats an ISO time as "3 hours ago". From 24 hours away, counts the days in the profile's time zone: "yesterday" or "2 days ago". When
 * the day is a week or more away, formats it as a date.
 */
export function formatRelativeTime(at: string, now = Date.now()): string {
  const time = new Date(at).getTime()
  const seconds = (time - now) / 1000 // negative for past times
  if (Math.abs(seconds) < maxJustNowSeconds) return 'just now'
  const minutes = Math.round(seconds / 60)
  if (Math.abs(minutes) < 60) return formatDistance(minutes, 'minute')
  const hours = Math.round(seconds / 3600)
  if (Math.abs(hours) < 24) return formatDistance(hours, 'hour')
  const days = countDaysUntil(getDayOf(time), now)
  return Math.abs(days) < 7 ? formatDistance(days, 'day') : formatDay(at, now)
}

/** Formats "in 3 hours", "2 days ago", or "yesterday" instead of "1 day ago". */
const formatDistance = (distance: number, unit: 'minute' | 'hour' | 'day'): string =>
  new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(distance, unit)

/** Formats the ISO time of something that has not happened yet: "in 3 hours"; "in a moment" when the time is near or has passed. */
export const formatPlannedTime = (at: string, now = Date.now()): string =>
  new Date(at).getTime() - now < maxJustNowSeconds * 1000 ? 'in a moment' : formatRelativeTime(at, now)

/** Formats an ISO time in the profile's time zone: "Tuesday, 17 November 2026 at 09:30:00 GMT". */
export function formatExactTime(at: string): string {
  return createFormatter({ dateStyle: 'full', timeStyle: 'long' }).format(new Date(at))
}

/** Formats an ISO time in the profile's time zone: "16 Nov, 15:20". Adds the year when it is not the current year. */
export function formatDayAndTime(at: string, now = Date.now()): string {
  return createFormatter({ day: 'numeric', month: 'short', ...yearIfOther(at, now), hour: '2-digit', minute: '2-digit' }).format(
    new Date(at),
  )
}

const dayMs = 86_400_000
const maxWeekdayDays = 6
const isoLocale = 'sv-SE' // formats dates as 2026-11-21

/** The day of a time, given in ms since 1970, in the profile's time zone: "2026-11-21". */
export const getDayOf = (time: number): string => createFormatter({ dateStyle: 'short' }, isoLocale, isoLocale).format(time)

/** The current day in the profile's time zone: "2026-11-21". */
export const getToday = (now = Date.now()): string => getDayOf(now)

/** The number of days from today to a date such as "2026-11-21"; negative for past dates. */
export const countDaysUntil = (date: string, now = Date.now()): number => Math.round((Date.parse(date) - Date.parse(getToday(now))) / dayMs)

/** Formats a date for a list: "Today", "Yesterday", "Tomorrow", a weekday ("Tue") in the next six days, else "4 Dec". */
export function formatRelativeDay(date: string, now = Date.now()): string {
  const days = countDaysUntil(date, now)
  if (Math.abs(days) <= 1) return capitalise(formatDaysFromNow(days))
  if (days > 0 && days <= maxWeekdayDays) return formatDate({ weekday: 'short' }, date)
  return formatShortDay(date, now)
}

/** Formats a date as "4 Dec", with the year when it is not the current year. */
export const formatShortDay = (date: string, now = Date.now()): string =>
  formatDate({ day: 'numeric', month: 'short', ...(date.slice(0, 4) === getToday(now).slice(0, 4) ? {} : { year: 'numeric' }) }, date)

const maxDaysWithoutYear = 240

/** Formats a date as "15 Jan". Adds the year when the date is in another year and at least 240 days away. */
export const formatCompactDay = (date: string, now = Date.now()): string =>
  Math.abs(countDaysUntil(date, now)) < maxDaysWithoutYear
    ? formatDate({ day: 'numeric', month: 'short' }, date)
    : formatShortDay(date, now)

/** Formats a date as "Sat 21 Nov". */
export const formatWeekdayAndDay = (date: string): string => formatDate({ weekday: 'short', day: 'numeric', month: 'short' }, date)

/** Formats a result of `countDaysUntil`: "in 13 days", "yesterday". */
export const formatDaysFromNow = (days: number): string => formatDistance(days, 'day')

/** Formats a date as "Saturday, 21 November 2026". */
export const formatExactDay = (date: string): string => formatDate({ dateStyle: 'full' }, date)

/** Formats an amount in the profile's currency: "£26,400", "£26,400.50", "CHF 26.400,50". */
export function formatMoney(amount: number): string {
  const money = createNumberFormat({ style: 'currency', currency: region.currency, trailingZeroDisplay: 'stripIfInteger' })
  // for some countries, such as "en-DE", `Intl` formats money with English separators, and other numbers with those of the country
  const separators = new Map<string, string>(
    createNumberFormat()
      .formatToParts(12_345.6)
      .filter(({ type }) => type === 'group' || type === 'decimal')
      .map(({ type, value }) => [type, value]),
  )
  const parts = money.formatToParts(amount)
  return parts.map(({ type, value }) => separators.get(type) ?? value).join('')
}

/** Formats a number as "1,284". */
export function formatNumber(number: number, options?: Intl.NumberFormatOptions): string {
  return createNumberFormat(options).format(number)
}

/** Formats a count from the server: "12", or "1,000+" when the server stopped counting at 1,000. */
export const formatCappedCount = ({ count, more }: { count: number; more: boolean }): string => `${formatNumber(count)}${more ? '+' : ''}`

/** Formats a number with its noun: "1 contact", "1,284 contacts". */
export const formatCount = (number: number, singular: string, plural = `${singular}s`): string =>
  `${formatNumber(number)} ${number === 1 ? singular : plural}`

const kilobyte = 1024
const sizeUnits = ['KB', 'MB', 'GB', 'TB']

/** Formats a size in bytes: "912 B", "48.2 KB", "1.8 MB", "5.0 GB". */
export function formatFileSize(bytes: number, byteUnit: 'B' | 'Bytes' = 'B'): string {
  if (bytes < kilobyte) return `${formatNumber(bytes)} ${byteUnit}`
  const exponent = Math.min(Math.floor(Math.log2(bytes) / 10), sizeUnits.length) // a kilobyte is 2 to the power of 10 bytes
  const size = formatNumber(bytes / kilobyte ** exponent, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  return `${size} ${sizeUnits[exponent - 1]}`
}

/** Changes the first letter to upper case. */
export const capitalise = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

function formatDay(at: string, now: number): string {
  return createFormatter({ day: 'numeric', month: 'short', ...yearIfOther(at, now) }).format(new Date(at))
}

/** The option for a format that shows the year of a time, unless it is the current year in the profile's time zone. */
function yearIfOther(at: string, now: number): { year?: 'numeric' } {
  const formatter = createFormatter({ year: 'numeric' })
  return formatter.format(new Date(at)) === formatter.format(now) ? {} : { year: 'numeric' }
}

/** Returns the time zone in which times are shown: the profile's zone. If the browser does not know this zone, returns its own. */
export const getTimezone = (): string => createFormatter({}).resolvedOptions().timeZone

/** Formats a date without a time. Parsing and formatting both use UTC, so that the day does not change. */
const formatDate = (options: Intl.DateTimeFormatOptions, date: string): string =>
  new Intl.DateTimeFormat(region.locale, { ...options, timeZone: 'UTC' }).format(Date.parse(date))

const createNumberFormat = (options?: Intl.NumberFormatOptions): Intl.NumberFormat => new Intl.NumberFormat(region.locale, options)

function createFormatter(options: Intl.DateTimeFormatOptions, locale = region.locale, fallbackLocale = 'en-GB'): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: region.timezone })
  } catch {
    return new Intl.DateTimeFormat(fallbackLocale, options) // the browser does not support the time zone or country
  }
}
