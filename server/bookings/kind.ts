// The record kind of bookings. The types in server/platform/records/kind.ts explain the options.
import { Booking, bookingColumns, bookingFilters, BookingRow, emptyBooking, maxBookingDays } from '#contract/bookings.ts'
import { recordKinds } from '#contract/kinds.ts'
import { createTextSort, defineKind, type Fields, type Link } from '#server/platform/records/kind.ts'
import { isTimezone, unknownTimezone } from '#server/platform/time/zones.ts'

const bookingLink: Link = { field: 'booking_link_id', to: recordKinds['booking link'], titleField: 'booking_link_title' }
const contact: Link = { field: 'contact_id', to: recordKinds.contact, titleField: 'contact_name' }

/** The constraint that two bookings violate when their times overlap, buffers included. */
export const overlapConstraint = 'bookings_overlap'

export const bookings = defineKind({
  ...recordKinds.booking,
  FullRecord: Booking,
  Row: BookingRow,
  exportColumnNames: bookingColumns,
  computedColumns: {
    booking_link_color: `coalesce((select l.color from booking_links l where l.user_id = c.user_id and l.id = c.booking_link_id), '')`,
    answer_count: `coalesce(jsonb_array_length(c.answers -> 'values'), 0)`,
  },
  emptyRecord: { ...emptyBooking, start_time: null, end_time: null },
  emptyDerived: { buffer_before_minutes: 0, buffer_after_minutes: 0, request_key: null, answers: null },
  titleOf: ({ title }) => String(title),
  searchResult: { sortColumn: 'title', title: 'c.title', detail: 'c.attendee_name' },
  sorts: {
    start_time: { column: 'start_time', type: 'timestamptz', emptyCondition: 'is null' },
    title: createTextSort('title'),
  },
  filters: bookingFilters,
  linksByConstraint: { bookings_booking_link: bookingLink, bookings_contact: contact },
  refuse: (_id, fields) => refuseFields(fields),
  constraints: {
    [overlapConstraint]: { field: 'start_time', message: 'Another booking takes this time' },
    bookings_length: { field: 'end_time', message: `The end must be after the start, and at most ${maxBookingDays} days later` },
  },
  timelineFields: ['status', 'start_time'],
  editLabel: bookingLabel,
})

function refuseFields({ timezone }: Fields): Record<string, string> | undefined {
  return typeof timezone === 'string' && !isTimezone(timezone) ? unknownTimezone : undefined
}

/** Returns SQL for the label of an edit in the history; undefined or SQL null for the default label. `c` is the row before the edit. */
function bookingLabel({ status, start_time: startTime }: Fields): string | undefined {
  if (status === 'cancelled') return `case when c.status <> 'cancelled' then 'Cancelled booking' end`
  return startTime === undefined ? undefined : `'Moved booking'`
}
