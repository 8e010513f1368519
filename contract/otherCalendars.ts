import * as z from 'zod/mini'
import { CalendarRange, maxCalendarDays } from './bookings.ts'
import { exampleId } from './examples.ts'
import { Instant, singleLineText, visibleText } from './fields.ts'
import { defineRoutes } from './route.ts'

/** The maximum number of other calendars of an owner. */
export const maxOtherCalendars = 20

/** A calendar of another program whose busy times visitors cannot book. Its address is secret and never sent back. */
export const OtherCalendar = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The host of the address, such as `calendar.google.com`. */
  host: z.string(),
  created_at: Instant,
  /** When its busy times were read last; null before the first time. */
  last_read_at: z.nullable(Instant),
  next_read_at: Instant,
  /** True if a job reads the calendar soon, because the time to read it again has come. */
  is_due: z.boolean(),
  /** Why the last attempt failed; null if it did not. The busy times of the last successful attempt stay. */
  problem: z.nullable(z.string()),
  /** The number of its busy times, and of events that could not be read. */
  busy_times: z.int(),
  unreadable_events: z.int(),
})
export type OtherCalendar = z.infer<typeof OtherCalendar>

const Name = singleLineText(100).check(...visibleText('Enter a name'))

const Address = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, 'Enter the address'),
    z.maxLength(2000, 'At most 2,000 characters'),
    z.url({ protocol: /^(https?|webcals?)$/i, error: 'Enter an address like https://example.com/calendar.ics' }),
  )

export const NewOtherCalendar = z.strictObject({
  name: Name,
  address: Address,
  /** False: adds the calendar without reading it first. */
  check: z._default(z.boolean(), true),
})
export type NewOtherCalendar = z.output<typeof NewOtherCalendar>

/** A busy time in the calendar. `local_start` and `local_end` have the same format as in `CalendarBooking`. */
export const OtherBusyTime = z.object({
  id: z.uuid(),
  name: z.string(),
  start_time: Instant,
  end_time: Instant,
  local_start: z.string(),
  local_end: z.string(),
})
export type OtherBusyTime = z.infer<typeof OtherBusyTime>

/** The maximum number of busy times in a response. */
export const maxBusyRows = 2000

const path = '/api/other-calendars'
const Id = z.strictObject({ id: z.uuid() })
const example = { params: { id: exampleId('otherCalendar') } }
const forSessions = { caller: 'user', isForSessionsOnly: true } as const

export const otherCalendarRoutes = defineRoutes({
  list: {
    method: 'GET',
    path,
    summary: 'The other calendars whose busy times visitors cannot book, oldest first',
    ...forSessions,
    changes: 'nothing',
    out: z.object({ rows: z.array(OtherCalendar) }),
    example: {},
  },
  create: {
    method: 'POST',
    path,
    summary: 'Add another calendar by its address. It is read first, and then every 15 minutes',
    ...forSessions,
    changes: 'journaled',
    body: NewOtherCalendar,
    out: OtherCalendar,
    status: 201,
    responseIfRepeated: { fromRoute: 'get', idFrom: 'record' },
    maxRequestsIn15Minutes: { perIdentity: 60 },
    example: { body: { name: 'Family', address: 'https://calendar.example/secret/basic.ics', check: false } },
  },
  get: {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Another calendar with its state',
    ...forSessions,
    changes: 'nothing',
    params: Id,
    out: OtherCalendar,
    example,
  },
  delete: {
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Remove another calendar. Visitors can book its busy times again',
    ...forSessions,
    changes: 'journaled',
    params: Id,
    example,
  },
  read: {
    method: 'POST',
    path: `${path}/{id}/read`,
    summary: 'Read another calendar soon, and not only when it is due. It continues after the response',
    ...forSessions,
    changes: { noUndo: 'The other calendar decides which times are busy.' },
    params: Id,
    out: OtherCalendar,
    maxRequestsIn15Minutes: { perIdentity: 60 },
    example,
  },
})

export const busyTimeRoutes = defineRoutes({
  list: {
    method: 'GET',
    path: '/api/busy-times',
    summary: `The busy times of other calendars from one day to the day before the second one, at most ${maxCalendarDays} days, by start`,
    caller: 'user',
    changes: 'nothing',
    query: CalendarRange,
    out: z.object({ rows: z.array(OtherBusyTime) }),
    example: { query: { from: '2026-11-29', to: '2027-01-03' } },
  },
})
