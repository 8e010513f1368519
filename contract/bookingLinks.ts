import * as z from 'zod/mini'
import { FormField, FormFields } from './formFields.ts'
import { recordKinds } from './kinds.ts'
import type { Filters } from './lists.ts'
import { multilineText, RecordDay, removeInputChecks, requiredText } from './fields.ts'
import { NewRecordId, recordRoutes, systemFields, Version } from './records.ts'
import { Slug } from './slugs.ts'

/** The columns of an export, in their order. */
export const bookingLinkColumns = ['title', 'slug', 'description', 'duration_minutes', 'color', 'is_active', 'created_at'] as const

export const bookingLinkFilters = { title: 'text', slug: 'text', created_at: 'instant' } as const satisfies Filters

/** A time of day such as `09:00`. The end of a day is `24:00`. */
const TimeOfDay = z.string().check(z.regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, 'Enter a time like 09:00'))
const hoursFields = { from: TimeOfDay, to: TimeOfDay }
const endsAfterStart = z.refine<{ from: string; to: string }>(({ from, to }) => from < to, {
  error: 'The end must be after the start',
  path: ['to'],
})

type HoursOfDay = { weekday?: number; from: string; to: string }

/** Whether hours overlap other hours of their day that are before them in the list. */
export const overlapsEarlierHours = (list: readonly HoursOfDay[], index: number): boolean => {
  const hours = list[index]
  const earlier = list.slice(0, index).filter(({ weekday }) => weekday === hours?.weekday)
  return hours !== undefined && earlier.some(({ from, to }) => hours.from < to && from < hours.to)
}

const doNotOverlap = z.superRefine<HoursOfDay[]>((list, context) => {
  for (const [index, { from }] of list.entries())
    if (overlapsEarlierHours(list, index))
      context.addIssue({
        code: 'custom',
        message: 'These hours overlap others. For a break, enter the hours before it and the hours after it',
        path: [index, 'from'],
        input: from,
      })
})

/** One range of time on a day. A break is the gap between two ranges. */
const Hours = z.strictObject(hoursFields).check(endsAfterStart)

/**
 * When visitors can book, in the time zone of the owner's profile. The hours of a day do not overlap, except in links that were stored when
 * that was allowed.
 */
const Availability = z.strictObject({
  /** The hours of each weekday, from 0 for Sunday to 6 for Saturday. */
  weekly: z
    .array(z.strictObject({ weekday: z.int().check(z.gte(0), z.lte(6)), ...hoursFields }).check(endsAfterStart))
    .check(z.maxLength(70, { error: 'At most 70 hours', abort: true }), doNotOverlap),
  /** Days without hours, first and last day included. */
  days_off: z
    .array(
      z
        .strictObject({ from: RecordDay, to: RecordDay })
        .check(z.refine(({ from, to }) => from <= to, { error: 'The last day is before the first', path: ['to'] })),
    )
    .check(z.maxLength(200, 'At most 200 days off')),
  /** The hours of single days, instead of those of their weekday; also on days off. On a day with empty `hours` nothing can be booked. */
  dates: z
    .array(
      z.strictObject({
        date: RecordDay,
        hours: z.array(Hours).check(z.maxLength(10, { error: 'At most 10 hours on one day', abort: true }), doNotOverlap),
      }),
    )
    .check(z.maxLength(366, 'At most 366 dates')),
})
export type Availability = z.output<typeof Availability>

const StoredHours = { from: z.string(), to: z.string() }
const StoredAvailability = z.object({
  weekly: z.array(z.object({ weekday: z.int(), ...StoredHours })),
  days_off: z.array(z.object(StoredHours)),
  dates: z.array(z.object({ date: z.string(), hours: z.array(z.object(StoredHours)) })),
})

/** The maximum number of questions that the owner adds to the page of a link. */
export const maxQuestions = 20

/** The questions that the owner adds to the page of the link. */
const Questions = z.strictObject({
  fields: FormFields.check(
    z.maxLength(maxQuestions, `At most ${maxQuestions} questions`),
    z.refine((questions) => questions.every(({ field_type: type }) => type !== 'file'), 'A booking page cannot ask for files'),
  ),
})

const day = 24 * 60
const minutes = (max: number, maxText: string) => z.int().check(z.gte(0, 'At least 0'), z.lte(max, `At most ${maxText}`))
const limit = z.nullable(z.int().check(z.gte(1, 'At least 1'), z.lte(1000, 'At most 1,000')))

const textFields = {
  title: requiredText('title', 200),
  /** The last part of the public address `/book/{slug}`. No two links of the installation have the same one. */
  slug: Slug,
  description: multilineText,
  color: z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/, 'Enter a colour like #3B82F6')),
}

const numberFields = {
  duration_minutes: z.int().check(z.gte(15, 'At least 15'), z.lte(day, 'At most 24 hours'), z.multipleOf(15, 'Choose a multiple of 15')),
  /** The time between the starts of two offered times. */
  step_minutes: z.int().check(z.gte(5, 'At least 5'), z.lte(day, 'At most 24 hours'), z.multipleOf(5, 'Choose a multiple of 5')),
  /** Times that begin sooner than this are not offered. */
  notice_minutes: minutes(365 * day, '365 days'),
  /** The time before and after each booking in which no other booking can be. */
  buffer_before_minutes: minutes(day, '24 hours'),
  buffer_after_minutes: minutes(day, '24 hours'),
  /** The number of days from today on which times are offered. */
  window_days: z.int().check(z.gte(1, 'At least 1'), z.lte(3650, 'At most 3,650')),
  /** The maximum number of bookings by this link on one day; null: no limit. */
  max_per_day: limit,
  /** The maximum number of future bookings by this link with one email; null: no limit. */
  max_per_visitor: limit,
  /** The visitor cannot cancel or move a booking that begins sooner than this. */
  cutoff_minutes: minutes(365 * day, '365 days'),
}

const fields = {
  ...textFields,
  ...numberFields,
  is_active: z.boolean(),
  /** Null: from 09:00 to 16:30 each half hour, in the time zone of the visitor. */
  availability: z.nullable(Availability),
  questions: z.nullable(Questions),
}

/** The fields of the form. */
export const BookingLinkFields = z.strictObject(fields)
export type BookingLinkFields = z.output<typeof BookingLinkFields>

export const emptyBookingLink: BookingLinkFields = {
  title: '',
  slug: '',
  description: '',
  color: '#3B82F6',
  duration_minutes: 30,
  step_minutes: 30,
  notice_minutes: 0,
  buffer_before_minutes: 0,
  buffer_after_minutes: 0,
  window_days: 60,
  max_per_day: null,
  max_per_visitor: null,
  cutoff_minutes: 0,
  is_active: true,
  availability: null,
  questions: null,
}

/** A visitor who waits for a free time on some days, in the time zone of the visitor. */
const WaitingVisitor = z.object({ id: z.string(), name: z.string(), email: z.string(), first_day: z.string(), last_day: z.string() })

/**
 * `booking_count` is the number of confirmed bookings by this link that have not ended. `waiting` has the next visitors who wait
 * for a free time, and `waiting_count` is the number of all of them.
 */
export const BookingLink = z.object({
  ...systemFields,
  ...removeInputChecks({ ...textFields, ...numberFields }),
  is_active: z.boolean(),
  availability: z.nullable(StoredAvailability),
  questions: z.nullable(z.object({ fields: z.array(FormField) })),
  booking_count: z.int(),
  waiting_count: z.int(),
  waiting: z.array(WaitingVisitor),
})
export type BookingLink = z.infer<typeof BookingLink>

/** A booking link in a list. */
export const BookingLinkRow = z.omit(BookingLink, { availability: true, questions: true, waiting: true })
export type BookingLinkRow = z.infer<typeof BookingLinkRow>

const optionalFields = z.partial(BookingLinkFields)

/** A new booking link. Without a slug it gets one from the title. */
const NewBookingLink = z.extend(optionalFields, { title: fields.title, id: NewRecordId })

/** The changed fields, and the version that the edit started from; without the version the edit overwrites newer changes. */
const BookingLinkPatch = z.extend(optionalFields, { version: Version })

export const bookingLinkRoutes = recordRoutes({
  kind: recordKinds['booking link'],
  FullRecord: BookingLink,
  Row: BookingLinkRow,
  New: NewBookingLink,
  Patch: BookingLinkPatch,
  BulkPatch: z.pick(optionalFields, { is_active: true }),
  sorts: ['newest', 'title'],
  filters: bookingLinkFilters,
  columns: bookingLinkColumns,
  example: {
    query: { search: 'engine', sort: 'title', limit: '10', filter: '[{"field":"slug","has":"engine"}]' },
    new: {
      title: 'Look at the engine',
      duration_minutes: 45,
      window_days: 3650,
      availability: {
        weekly: [
          { weekday: 1, from: '09:00', to: '12:00' },
          { weekday: 1, from: '13:00', to: '17:00' },
        ],
        days_off: [{ from: '2026-12-24', to: '2027-01-02' }],
        dates: [{ date: '2026-12-05', hours: [{ from: '10:00', to: '12:00' }] }],
      },
    },
    patch: { description: 'Bring the drawings.', buffer_after_minutes: 15 },
    bulkPatch: { is_active: false },
  },
})
