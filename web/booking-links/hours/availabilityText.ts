// The hours of a booking link as the value of a form field, which is JSON.
import * as z from 'zod/mini'
import { BookingLink, BookingLinkFields, type Availability } from '#contract/bookingLinks.ts'
import { formatCount } from '#web/lib/format.ts'
import { formatTypedDay } from '#web/records/form/typedDay.ts'

export type Hours = { from: string; to: string }

/** The names of the weekdays. The index is the number of the weekday. */
export const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

/** Whether a text is a complete day. While the user types, it is not. */
export const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text)

const officeHours = { from: '09:00', to: '17:00' }

/** The hours that the editor shows when a user sets hours for the first time. */
export const initialAvailability: Availability = {
  weekly: [1, 2, 3, 4, 5].map((weekday) => ({ weekday, ...officeHours })),
  days_off: [],
  dates: [],
}

const StoredAvailability = BookingLink.shape.availability

/** Returns the hours in the text of the form field; null if no hours are set or the text is invalid. */
export const readAvailability = (text: string | null): Availability | null =>
  text ? (StoredAvailability.safeParse(parseJson(text)).data ?? null) : null

/** Creates a schema that converts the text of the form field and passes the hours to `schema`. */
export const availabilityFromText = (schema: z.ZodMiniType<Availability | null, Availability | null>) =>
  z.pipe(
    z.nullable(z.string()),
    z.transform((text: string | null, context): Availability | null => {
      const hours = readAvailability(text)
      const result = z.safeParse(schema, hours && addLastDays(hours))
      if (result.success) return result.data
      const [issue] = result.error.issues
      const place = hours && issue ? describePlace(hours, issue.path) : ''
      context.issues.push({ code: 'custom', message: `${place}${issue?.message ?? 'Check the hours'}`, input: text })
      return z.NEVER
    }),
  )

/**
 * Returns the error messages of the hours by the place where they are shown: `weekly.{weekday}`, `days_off` or `dates.{index}`. A message
 * about a whole list has no place and is missing.
 */
export function findAvailabilityErrors(text: string | null): Record<string, string> {
  const hours = readAvailability(text)
  const result = z.safeParse(BookingLinkFields.shape.availability, hours && addLastDays(hours))
  const errors: Record<string, string> = {}
  if (!hours || result.success) return errors
  for (const { path, message } of result.error.issues) {
    const [list, index] = path
    if (index === undefined) continue
    const place =
      list === 'weekly' ? `weekly.${hours.weekly[Number(index)]?.weekday}` : list === 'dates' ? `dates.${String(index)}` : 'days_off'
    errors[place] ??= describePlace(hours, path) + message
  }
  return errors
}

/** Days off without a last day are a single day. */
const addLastDays = (hours: Availability): Availability => ({
  ...hours,
  days_off: hours.days_off.map(({ from, to }) => ({ from, to: to || from })),
})

/** Returns the beginning of an error message, such as "Monday: ". */
function describePlace({ weekly, dates }: Availability, [list, index]: readonly PropertyKey[]): string {
  if (index === undefined) return ''
  if (list === 'weekly') return `${weekdays[weekly[Number(index)]?.weekday ?? 0]}: `
  if (list === 'days_off') return 'Days off: '
  return `${formatTypedDay(dates[Number(index)]?.date || 'Single dates')}: `
}

/** Describes the hours in one line: "Monday, Tuesday, 2 times off, 1 single date". */
export function describeAvailability(hours: Availability | null): string {
  if (!hours) return 'Every day from 09:00 to 16:30, in the time zone of the visitor'
  const { weekly, days_off, dates } = hours
  const days = weekdays.filter((_, weekday) => weekly.some((each) => each.weekday === weekday))
  const parts = [
    days.length > 0 ? days.join(', ') : 'No weekly hours',
    days_off.length > 0 && formatCount(days_off.length, 'time off', 'times off'),
    dates.length > 0 && formatCount(dates.length, 'single date'),
  ]
  return parts.filter(Boolean).join(', ')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
