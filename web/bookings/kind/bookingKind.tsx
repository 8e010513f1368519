import * as z from 'zod/mini'
import { BookingFields, bookingFilters, bookingRoutes, emptyBooking } from '#contract/bookings.ts'
import { recordKinds } from '#contract/kinds.ts'
import { formatDayAndTime } from '#web/lib/format.ts'
import { defineKind, linkFromText } from '#web/records/kind/kind.ts'
import { describeDayFormat } from '#web/records/form/typedDay.ts'
import { StatusBadge } from './StatusBadge.tsx'
import { statusChoices } from './statuses.ts'

const { shape } = BookingFields

const formatTime = (value: unknown): string => formatDayAndTime(String(value))

export const bookingKind = defineKind({
  ...recordKinds.booking,
  path: '/bookings/calendar',
  opensOverList: true,
  relatedTables: ['crm_contacts', 'booking_links'],
  routes: bookingRoutes,
  titleOf: ({ title }) => title,
  detailOf: ({ attendee_name, contact_name }) => attendee_name || contact_name,
  describeCreated: ({ start_time }) => formatDayAndTime(start_time),
  blank: { ...emptyBooking, start_time: '', end_time: '' },
  fields: {
    title: { label: 'Title', required: true },
    start_time: { label: 'Start', required: true, format: formatTime },
    end_time: { label: 'End', required: true, format: formatTime },
    contact_id: { label: 'Contact', linksTo: 'contact' },
    booking_link_id: { label: 'Booking link', linksTo: 'booking link' },
    attendee_name: { label: 'Name' },
    attendee_email: { label: 'Email', externalLink: 'email' },
    attendee_phone: { label: 'Phone', externalLink: 'phone' },
    notes: { label: 'Notes', isLong: true },
    description: { label: 'Description', isLong: true },
    status: { label: 'Status', choices: statusChoices, required: true },
    timezone: { label: 'Time zone of the visitor', required: true },
  },
  input: z.extend(BookingFields, {
    start_time: instantFromText(shape.start_time),
    end_time: instantFromText(shape.end_time),
    contact_id: linkFromText('contact'),
    booking_link_id: linkFromText('booking link'),
  }),
  filters: bookingFilters,
  filterFields: ['title', 'status', 'start_time', 'attendee_name', 'attendee_email', 'contact_id', 'booking_link_id'],
  bulkFields: ['status'],
  sorts: [{ name: 'start_time', ascending: 'earliest first', descending: 'latest first' }, { name: 'title' }],
  titleCell: { secondLine: ({ start_time }) => formatDayAndTime(start_time) },
  columns: [{ name: 'status', width: 120, cell: ({ status }) => <StatusBadge status={status} /> }],
  searchedFields: 'title, name or email',
  emptyList: { title: 'No bookings yet', text: 'Appointments that visitors book, or that you add.' },
})

/** Creates the schema of a time. While the date or the time is not complete, the form value is both texts, separated by `|`. */
function instantFromText(schema: z.ZodMiniType<string, string>) {
  return z.pipe(
    z.pipe(
      z.string(),
      z.transform((text: string, context): string => {
        if (text !== '' && !text.includes('|')) return text
        const [, time = ''] = text.split('|')
        context.issues.push({ code: 'custom', message: time === '' ? 'Enter a time like 09:30' : describeDayFormat(), input: text })
        return z.NEVER
      }),
    ),
    schema,
  )
}
