import * as z from 'zod/mini'
import { Instant, isInvisible, phoneOrEmpty, requiredText, toAsciiDomain } from './fields.ts'
import { exampleId } from './examples.ts'
import { Day } from './lists.ts'
import { defineRoutes } from './route.ts'
import { visitorFields } from './visitors.ts'
import { wholeNumber } from './numbers.ts'

/** A time that a visitor can book: its start, and the text to show, such as `10:00 to 10:30`. */
const OfferedTime = z.object({ start_time: Instant, label: z.string() })
export type OfferedTime = z.infer<typeof OfferedTime>

/**
 * A day with its times. `label`: such as `Monday, 30 November 2026`. `timezone_label`: the zone with its offset on this day, such as
 * `New York, EST (UTC-5)`.
 */
const OfferedDay = z.object({ date: z.string(), label: z.string(), timezone_label: z.string(), times: z.array(OfferedTime) })
export type OfferedDay = z.infer<typeof OfferedDay>

/** A day with times, without its times. */
const OtherDay = z.object({ date: z.string(), label: z.string() })
export type OtherDay = z.infer<typeof OtherDay>

/** The response with the times that a link offers on some days, in the visitor's time zone. */
const TimesResponse = z.object({
  timezone: z.string(),
  /** The zone with its offset now. */
  timezone_label: z.string(),
  /** The first and the last day that can be chosen. */
  today: z.string(),
  last_day: z.string(),
  /** The last day that `days` covers: the last requested one, or an earlier one if the days until then have `maxOfferedTimes` times. */
  complete_to: z.string(),
  /** The days with times. */
  days: z.array(OfferedDay),
  /** If `days` is empty: the next day with times after the requested days, otherwise the last one before them. Null if none was found. */
  other_day: z.nullable(OtherDay),
  /** True if all days that can be chosen were searched, and none has times. */
  is_full: z.boolean(),
})
export type TimesResponse = z.infer<typeof TimesResponse>

/** The name of a time zone. The server checks that it exists. */
const TimezoneName = z.string().check(z.minLength(1), z.maxLength(64))

const email = z.string().check(
  z.trim(),
  z.overwrite(toAsciiDomain),
  z.maxLength(254, 'At most 254 characters'),
  z.refine((text) => z.safeParse(z.email(), text).success, 'Enter an email like name@example.com'),
)

/**
 * The start that a visitor has chosen. Forms send an empty text, which is refused, if their list has no times, or has the times of another
 * day or zone than the form shows (`readChosenStart`).
 */
const ChosenStart = z.iso.datetime({ offset: true, error: 'Choose a time on this day.' })

/** What a visitor enters. */
export const bookingFormFields = {
  start_time: ChosenStart,
  timezone: TimezoneName,
  name: requiredText('name', 200),
  email,
  phone: z._default(phoneOrEmpty, ''),
  notes: z._default(
    z.string().check(
      z.trim(),
      z.maxLength(5000, 'At most 5,000 characters'),
      z.refine((text) => text === '' || !isInvisible(text), 'Write something, or leave this empty'),
    ),
    '',
  ),
}

/** `values`: the answers to the questions that the owner added to the link, by the names of their fields. */
export const NewVisit = z.strictObject({
  ...bookingFormFields,
  values: z._default(z.record(z.string(), z.unknown()), {}),
  ...visitorFields,
})
export type NewVisit = z.output<typeof NewVisit>

const unchecked = z.optional(z.unknown())
/** A booking as a visitor sends it. The handler checks it with `NewVisit` and with the questions, so that all messages come at once. */
const SentVisit = z.extend(NewVisit, {
  start_time: unchecked,
  timezone: unchecked,
  name: unchecked,
  email: unchecked,
  phone: unchecked,
  notes: unchecked,
})
export type SentVisit = z.output<typeof SentVisit>

/** The numbers of days for which a visitor can wait: the chosen day, or the week that begins with it. */
const waitDayCounts = [1, 7] as const

/** A visitor who waits for a free time on these days, the first of which is `date` in the visitor's time zone. */
export const NewWait = z.strictObject({
  date: Day,
  days: z.int().check(z.refine((days) => waitDayCounts.some((count) => count === days), 'Choose a day or a week')),
  timezone: TimezoneName,
  name: bookingFormFields.name,
  email,
  ...visitorFields,
})
export type NewWait = z.output<typeof NewWait>

/** The maximum number of days in a response with times. */
export const maxOfferedDays = 60
/**
 * A response ends with the day on which the number of its offered times reaches this. A link can offer 288 start times on one day, and a
 * response with 60 such days would take ten times as long to compute.
 */
export const maxOfferedTimes = 2000

const Id = z.strictObject({ id: z.uuid() })
const id = exampleId('booking link')
const path = '/api/public/booking-links/{id}'
const changePath = '/api/public/booking-changes/{token}'
const Token = z.strictObject({ token: z.string().check(z.minLength(1), z.maxLength(200)) })

/**
 * Whether a visitor can change a booking. `done`: the request that was just sent has cancelled or moved it. `cancelled`: it was cancelled
 * before. `past`: it has begun, was completed or missed. `late`: it begins too soon to be changed. `closed`: its link takes no bookings any
 * more, so it cannot be moved.
 */
const changeStates = ['open', 'done', 'cancelled', 'past', 'late', 'closed'] as const
export type ChangeState = (typeof changeStates)[number]
const ChangeResult = z.object({ state: z.enum(changeStates) })

export const publicBookingRoutes = defineRoutes({
  times: {
    method: 'GET',
    path: `${path}/times`,
    summary: 'The free times of a booking link, for its visitors',
    caller: 'visitor',
    changes: 'nothing',
    params: Id,
    query: z.strictObject({
      timezone: TimezoneName,
      /** The first day, today by default. */
      from: z.optional(Day),
      days: z._default(wholeNumber({ min: 1, max: maxOfferedDays }), maxOfferedDays),
      /** The token of a link to move a booking. The times of this booking then count as free. */
      move: z.optional(z.string().check(z.maxLength(200))),
    }),
    out: TimesResponse,
    maxRequestsIn15Minutes: { perNetwork: 600 },
    example: { params: { id }, query: { timezone: 'Europe/London', days: '30' } },
  },
  book: {
    method: 'POST',
    path: `${path}/bookings`,
    summary: 'Book a free time as a visitor. The response has the address of the page that shows the confirmation',
    caller: 'visitor',
    changes: 'journaled',
    requiresIdempotencyKey: true,
    maxRequestsIn15Minutes: { refusedPerNetwork: 120 },
    params: Id,
    body: SentVisit,
    out: z.object({ id: z.uuid(), address: z.string(), start_time: Instant, end_time: Instant }),
    status: 201,
    responseIfRepeated: { fromRoute: 'book' },
    errors: ['slot_taken', 'visit_refused', 'page_expired', 'too_many_requests'],
    example: {
      params: { id },
      body: {
        start_time: '2027-01-04T09:00:00Z',
        timezone: 'Europe/London',
        name: 'Mary Somerville',
        email: 'mary@example.org',
        page_token: 'the token in the page',
        without_script: true,
      },
    },
  },
  wait: {
    method: 'POST',
    path: `${path}/waits`,
    summary:
      'Wait for a free time as a visitor, who then gets one mail. The response has the address of the page that shows the confirmation',
    caller: 'visitor',
    changes: { noUndo: 'The visitor stops it with a link of the page or the mail.' },
    maxRequestsIn15Minutes: { perNetwork: 60 },
    params: Id,
    body: NewWait,
    out: z.object({ address: z.string() }),
    status: 201,
    errors: ['visit_refused', 'page_expired', 'too_many_requests'],
    example: {
      params: { id },
      body: {
        date: '2027-01-04',
        days: 7,
        timezone: 'Europe/London',
        name: 'Mary Somerville',
        email: 'mary@example.org',
        page_token: 'the token in the page',
        without_script: true,
      },
    },
  },
  /** The token of the page stops one wait. The token of a mail stops all waits of the visitor's email for this owner. */
  stopWaiting: {
    method: 'POST',
    path: '/api/public/booking-waits/{token}/stop',
    summary: 'Stop waiting as a visitor, with the token of a link. Those of mails stop all mails about free times of the owner',
    caller: 'visitor',
    changes: { noUndo: 'The visitor can wait again.' },
    maxRequestsIn15Minutes: { perNetwork: 60 },
    params: Token,
    example: { params: { token: 'the token in the link' } },
  },
  cancel: {
    method: 'POST',
    path: `${changePath}/cancel`,
    summary: 'Cancel a booking as its visitor, with the token of the link in the mail',
    caller: 'visitor',
    changes: 'journaled',
    requiresIdempotencyKey: true,
    maxRequestsIn15Minutes: { perNetwork: 60 },
    params: Token,
    out: ChangeResult,
    responseIfRepeated: { fromRoute: 'cancel' },
    example: { params: { token: 'the token in the link' } },
  },
  move: {
    method: 'POST',
    path: `${changePath}/move`,
    summary: 'Move a booking to another free time as its visitor, with the token of the link in the mail',
    caller: 'visitor',
    changes: 'journaled',
    requiresIdempotencyKey: true,
    maxRequestsIn15Minutes: { perNetwork: 60 },
    params: Token,
    body: z.strictObject({
      start_time: bookingFormFields.start_time,
      timezone: TimezoneName,
      /** The start of the booking as the visitor knows it. If it has changed since, the move is refused. */
      booked_start: z.optional(Instant),
    }),
    out: ChangeResult,
    responseIfRepeated: { fromRoute: 'move' },
    errors: ['slot_taken'],
    example: { params: { token: 'the token in the link' }, body: { start_time: '2027-01-04T09:00:00Z', timezone: 'Europe/London' } },
  },
})
