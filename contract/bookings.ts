import * as z from 'zod/mini'
import { exampleId } from './examples.ts'
import { fieldTypes } from './formFields.ts'
import { recordKinds } from './kinds.ts'
import type { Filters } from './lists.ts'
import { hasUsableOffset } from './newInstant.ts'
import { emailOrEmpty, Instant, multilineText, phoneOrEmpty, removeInputChecks, requiredText, singleLineText } from './fields.ts'
import { NewRecordId, recordRoutes, systemFields, Version } from './records.ts'
import { defineRoutes } from './route.ts'

const bookingStatuses = ['confirmed', 'cancelled', 'completed', 'no-show'] as const

/** The columns of an export, in their order. */
export const bookingColumns = [
  'title',
  'status',
  'start_time',
  'end_time',
  'timezone',
  'attendee_name',
  'attendee_email',
  'attendee_phone',
  'notes',
  'description',
  'booking_link_title',
  'contact_name',
  'created_at',
] as const

export const bookingFilters = {
  title: 'text',
  status: 'choice',
  start_time: 'instant',
  attendee_name: 'text',
  attendee_email: 'text',
  booking_link_id: 'link',
  contact_id: 'link',
  created_at: 'instant',
} as const satisfies Filters

/** The maximum length of a booking. */
export const maxBookingDays = 7

// 1 January 2000 and 31 December 2199 are left out, so that a time is in the years 2000 to 2199 in every time zone
const BookingInstant = Instant.check(
  hasUsableOffset,
  z.refine((text) => text >= '2000-01-02' && text < '2199-12-31', 'Enter a date from 2000 to 2199, with all four digits of the year'),
  z.overwrite((text) => text.replace(/\.\d+/, '')), // calendars of other programs have no parts of a second
)

const CalendarDay = z.iso
  .date()
  .check(z.refine((day) => day >= '2000-01-02' && day < '2199-12-31', 'Enter a date from 2000 to 2199, with all four digits of the year'))

const fields = {
  title: requiredText('title', 200),
  description: multilineText,
  start_time: BookingInstant,
  end_time: BookingInstant,
  /** The time zone in which the times are shown: that of the visitor. */
  timezone: z.string().check(z.maxLength(64, 'At most 64 characters')),
  attendee_name: singleLineText(200),
  attendee_email: emailOrEmpty,
  attendee_phone: phoneOrEmpty,
  notes: multilineText,
  status: z.enum(bookingStatuses),
  booking_link_id: z.nullable(z.uuid()),
  contact_id: z.nullable(z.uuid()),
}

/** The fields of the form. */
export const BookingFields = z.strictObject(fields)
export type BookingFields = z.output<typeof BookingFields>

/** A booking without values. A new booking needs a title, a start and an end. */
export const emptyBooking: Omit<BookingFields, 'start_time' | 'end_time'> = {
  title: '',
  description: '',
  timezone: 'UTC',
  attendee_name: '',
  attendee_email: '',
  attendee_phone: '',
  notes: '',
  status: 'confirmed',
  booking_link_id: null,
  contact_id: null,
}

/** The title and colour of the booking link, and the name of the contact; empty for a booking without them. */
const linkedValues = { booking_link_title: z.string(), booking_link_color: z.string(), contact_name: z.string() }

/**
 * The answers of the visitor to the questions of the link, with the labels and the types that the questions had at that time. Older answers
 * have no types.
 */
const BookingAnswers = z.nullable(
  z.object({ values: z.array(z.object({ label: z.string(), text: z.string(), type: z.optional(z.enum(fieldTypes)) })) }),
)

export const Booking = z.object({
  ...systemFields,
  ...removeInputChecks(fields),
  ...linkedValues,
  answers: BookingAnswers,
  answer_count: z.int(),
})
export type Booking = z.infer<typeof Booking>

/** A booking in a list and in the calendar. */
export const BookingRow = z.omit(Booking, { description: true, answers: true })
export type BookingRow = z.infer<typeof BookingRow>

const optionalFields = z.partial(BookingFields)

/** A new booking. Omitted fields are empty; the default status is confirmed. */
const NewBooking = z.extend(optionalFields, {
  title: fields.title,
  start_time: fields.start_time,
  end_time: fields.end_time,
  id: NewRecordId,
})

/** The changed fields, and the version that the edit started from; without the version the edit overwrites newer changes. */
const BookingPatch = z.extend(optionalFields, { version: Version })

const path = '/api/bookings'

/**
 * A booking in the calendar. `local_start` and `local_end` are the times in the zone of the owner's profile as `YYYY-MM-DDTHH:MM`.
 * `shown_start` and `shown_end` are those in the zone of the booking as `HH:MM`, and `shown_zone` is the name and offset of that zone.
 */
export const CalendarBooking = z.extend(BookingRow, {
  local_start: z.string(),
  local_end: z.string(),
  shown_start: z.string(),
  shown_end: z.string(),
  shown_zone: z.string(),
})
export type CalendarBooking = z.infer<typeof CalendarBooking>

/** The offsets of a time zone in minutes, positive east of Greenwich. Each is valid from its instant, the first one also before. */
export const ZoneOffsets = z.object({ timezone: z.string(), offsets: z.array(z.object({ from: Instant, minutes: z.int() })) })
export type ZoneOffsets = z.infer<typeof ZoneOffsets>

/** The maximum number of bookings in a response for the calendar. */
export const maxCalendarRows = 2000
/** The maximum range of a request for the calendar. */
export const maxCalendarDays = 62
/** The days that a calendar shows: from the day `from` to the day before `to`. */
export const CalendarRange = z.strictObject({ from: CalendarDay, to: CalendarDay }).check(
  z.refine(({ from, to }) => to > from, { error: 'Choose a day after the first one', path: ['to'] }),
  z.refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= maxCalendarDays * 86_400_000, {
    error: `Ask for at most ${maxCalendarDays} days`,
    path: ['to'],
  }),
)

export const bookingRoutes = {
  ...recordRoutes({
    kind: recordKinds.booking,
    FullRecord: Booking,
    Row: BookingRow,
    New: NewBooking,
    Patch: BookingPatch,
    BulkPatch: z.pick(optionalFields, { status: true }),
    sorts: ['newest', 'start_time', 'title'],
    filters: bookingFilters,
    columns: bookingColumns,
    example: {
      query: { search: 'engine', sort: 'start_time', limit: '10', filter: '[{"field":"status","is":["confirmed"]}]' },
      new: {
        title: 'Look at the engine',
        start_time: '2026-12-01T09:00:00Z',
        end_time: '2026-12-01T09:30:00Z',
        timezone: 'Europe/London',
        attendee_name: 'Ada Example',
        contact_id: exampleId('contact'),
      },
      patch: { start_time: '2026-12-01T10:00:00Z', end_time: '2026-12-01T10:45:00Z' },
      bulkPatch: { status: 'completed' },
    },
  }),
  ...defineRoutes({
    calendar: {
      method: 'GET',
      path: `${path}/calendar`,
      summary: `The bookings from a day until before another one, at most ${maxCalendarDays} days later, by start; cancelled ones too`,
      caller: 'user',
      changes: 'nothing',
      query: CalendarRange,
      out: z.object({ rows: z.array(CalendarBooking), more: z.boolean() }),
      example: { query: { from: '2026-11-29', to: '2027-01-03' } },
    },
    zone: {
      method: 'GET',
      path: `${path}/zone`,
      summary: 'The offsets of the time zone of the profile, for clients that convert between local times and instants',
      caller: 'user',
      changes: 'nothing',
      out: ZoneOffsets,
      example: {},
    },
  }),
}
