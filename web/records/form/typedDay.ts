// Dates as they are written in the country of the profile: "31.12.2026", "12/31/2026", "2026-12-31".
import * as z from 'zod/mini'
import { getToday } from '#web/lib/format.ts'
import { queries } from '#web/lib/queries.ts'
import { sessionQuery } from '#web/lib/session.ts'

type Part = 'day' | 'month' | 'year'
/** The order of day, month and year in a country, and the separator between them: ".", "/" or "-". */
export type DayFormat = { order: readonly Part[]; separator: string }

/** Formats a date such as "2026-12-31" as users type it. Returns any other text unchanged. */
export function formatTypedDay(text: string): string {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)?.slice(1)
  if (!parts) return text
  const [year = '', month = '', day = ''] = parts
  const { order, separator } = getDayFormat()
  return order.map((part) => ({ day, month, year })[part]).join(separator)
}

/**
 * Parses a typed date, and returns it as "2026-12-31". Accepts any of the usual separators. A year of two digits is in this century. If the
 * text begins with a year of four digits, month and day follow, in every country. Returns undefined for other texts, and for days that the
 * calendar does not have.
 */
export function parseTypedDay(text: string): string | undefined {
  // three numbers, with a point, slash, hyphen or spaces between them; a point may follow the last one, as in Hungary
  const numbers = /^(\d+)(?:\s*[./-]\s*|\s+)(\d+)(?:\s*[./-]\s*|\s+)(\d+)\.?$/.exec(text.trim())?.slice(1)
  if (!numbers) return undefined
  const order: readonly Part[] = numbers[0]?.length === 4 ? yearFirst : getDayFormat().order
  const numberOf = (part: Part): string => numbers[order.indexOf(part)] ?? ''
  const year = numberOf('year').length === 2 ? `20${numberOf('year')}` : numberOf('year')
  const day = [year, numberOf('month').padStart(2, '0'), numberOf('day').padStart(2, '0')].join('-')
  return z.safeParse(z.iso.date(), day).success ? day : undefined
}

/** The message for a text that is no date: "Enter a date as day.month.year, like 31.12.2026". */
export function describeDayFormat(): string {
  const { order, separator } = getDayFormat()
  const lastDayOfYear = `${getToday().slice(0, 4)}-12-31` // readers cannot take its day for a month
  return `Enter a date as ${order.join(separator)}, like ${formatTypedDay(lastDayOfYear)}`
}

/** The placeholder of a date field: "dd.mm.yyyy". */
export function getDayPlaceholder(): string {
  const { order, separator } = getDayFormat()
  return order.map((part) => ({ day: 'dd', month: 'mm', year: 'yyyy' })[part]).join(separator)
}

/** Creates a schema that passes the date of a date field to `schema`. An empty text becomes null. */
export const dateFromText = <Schema extends z.ZodMiniType<unknown, string | null>>(schema: Schema) =>
  z.pipe(
    z.pipe(
      z.nullable(z.string()),
      z.transform((text: string | null, context): string | null => {
        if (!text?.trim()) return null
        const day = parseTypedDay(text)
        if (day !== undefined) return day
        context.issues.push({ code: 'custom', message: describeDayFormat(), input: text })
        return z.NEVER
      }),
    ),
    schema,
  )

const yearFirst = ['year', 'month', 'day'] as const

/**
 * Returns the order and the separator of dates in the country of the profile, as texts in the main language of the country write them.
 * Texts in English may write dates in another way there.
 */
export function getDayFormat(): DayFormat {
  const country = queries.getQueryData(sessionQuery.queryKey)?.profile.country ?? ''
  const parts = createFormatter(country).formatToParts(0) // any date: only the order and the separator are used
  const order = parts.flatMap(({ type }) => (type === 'day' || type === 'month' || type === 'year' ? type : []))
  const separator = /[./-]/.exec(parts.find(({ type }) => type === 'literal')?.value ?? '')?.[0]
  return { order, separator: separator ?? '/' }
}

function createFormatter(country: string): Intl.DateTimeFormat {
  const options = { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' } as const
  if (country === '') return new Intl.DateTimeFormat('en-GB', options)
  const { language } = new Intl.Locale(`und-${country}`).maximize() // "und" is an unknown language; `maximize` finds the likely one
  // the extension selects the Gregorian calendar and the digits 0 to 9
  return new Intl.DateTimeFormat(`${language}-${country}-u-ca-gregory-nu-latn`, options)
}
