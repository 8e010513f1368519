import { CalendarBooking, emptyBooking, type Booking } from '#contract/bookings.ts'
import { mockServer, nora, problemResponse } from '#web/testing.ts'

/** A booking on 23 November 2026 at 14:00 in London, which is 09:00 for the visitor in New York. */
export const visit: Booking = {
  ...emptyBooking,
  id: '01930000-0000-7000-8000-0000000000c1',
  title: 'Site visit',
  start_time: '2026-11-23T14:00:00.000Z',
  end_time: '2026-11-23T14:30:00.000Z',
  timezone: 'America/New_York',
  attendee_name: 'Imara Vantongeren',
  attendee_email: 'imara@quillstone.example',
  attendee_phone: '+44 20 7946 0118',
  contact_id: '01930000-0000-7000-8000-000000000001',
  contact_name: 'Imara Vantongeren',
  booking_link_id: '01930000-0000-7000-8000-0000000000b1',
  booking_link_title: 'Site visit',
  booking_link_color: '#3B82F6',
  answers: null,
  answer_count: 0,
  notes: 'Parking behind the house.',
  created_at: '2026-11-01T09:00:00.000Z',
  updated_at: '2026-11-01T09:00:00.000Z',
  version: 2,
}

/** Returns a booking in London on 23 November 2026 that begins at a full hour and ends half an hour later. */
export const makeBooking = (number: number, hour: number, fields: Partial<Booking> = {}): Booking => ({
  ...visit,
  id: `01930000-0000-7000-8000-0000000000d${number}`,
  title: `Call ${number}`,
  start_time: `2026-11-23T${String(hour).padStart(2, '0')}:00:00.000Z`,
  end_time: `2026-11-23T${String(hour).padStart(2, '0')}:30:00.000Z`,
  timezone: 'Europe/London',
  ...fields,
})

/** Returns a row of the calendar. In November the clocks in London show UTC, and those in New York 5 hours less. */
function toCalendarRow(booking: Booking): CalendarBooking {
  const toShown = (time: string): string =>
    new Date(Date.parse(time) - (booking.timezone === 'America/New_York' ? 5 : 0) * 3_600_000).toISOString().slice(11, 16)
  return CalendarBooking.parse({
    ...booking,
    local_start: booking.start_time.slice(0, 16),
    local_end: booking.end_time.slice(0, 16),
    shown_start: toShown(booking.start_time),
    shown_end: toShown(booking.end_time),
    shown_zone: booking.timezone === 'America/New_York' ? 'EST (UTC-5)' : 'GMT',
  })
}

/** Returns the response of the calendar. */
export const makeCalendar = (bookings: readonly Booking[]) => ({ rows: bookings.map(toCalendarRow), more: false })

/** The offsets of London. Clocks are set forward on 28 March 2027. */
const london = {
  timezone: 'Europe/London',
  offsets: [
    { from: '2026-10-25T01:00:00.000Z', minutes: 0 },
    { from: '2027-03-28T01:00:00.000Z', minutes: 60 },
    { from: '2027-10-31T01:00:00.000Z', minutes: 0 },
  ],
}

/** Mocks a server with these bookings. */
export const mockServerWith = (...bookings: Booking[]) =>
  mockServer({
    'GET /api/session': nora,
    'GET /api/views': { rows: [] },
    'GET /api/changes': { rows: [], next: null },
    'GET /api/bookings/zone': london,
    'GET /api/bookings/zone-changes': { rows: [], count: 0 },
    'GET /api/bookings/calendar': makeCalendar(bookings),
    'GET /api/busy-times': { rows: [] },
    'GET /api/bookings/count': { count: bookings.length, more: false },
    'GET /api/bookings/{id}': ({ params }) => bookings.find(({ id }) => id === params['id']) ?? problemResponse('not_found'),
  })
