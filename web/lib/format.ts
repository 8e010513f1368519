import type { Profile } from '#contract/accounts.ts'

type Place = { timezone: string | undefined; locale: string }

/** Words are English; the country decides the order of day and month and the separators. */
let place: Place = { timezone: undefined, locale: 'en-GB' }

/** From now on times are told as this person reads them. */
export function formatFor({ timezone, country }: Pick<Profile, 'timezone' | 'country'>): void {
  place = { timezone, locale: country ? `en-${country}` : 'en-GB' }
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

/** "1,284". */
export function count(number: number): string {
  return new Intl.NumberFormat(place.locale).format(number)
}

/** "1 contact", "1,284 contacts". */
export const countOf = (number: number, one: string, many = `${one}s`): string => `${count(number)} ${number === 1 ? one : many}`

/** "Contact" of "contact", at the beginning of a sentence. */
export const capitalised = (words: string): string => `${words[0]?.toUpperCase() ?? ''}${words.slice(1)}`

function day(at: string, now: number): string {
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  return formatter({ day: 'numeric', month: 'short', ...(sameYear ? {} : { year: 'numeric' }) }).format(new Date(at))
}

function formatter(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(place.locale, { ...options, timeZone: place.timezone })
  } catch {
    return new Intl.DateTimeFormat('en-GB', options) // a zone or country that this browser has not heard of
  }
}
