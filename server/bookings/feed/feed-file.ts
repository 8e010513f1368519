import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator'
import { cleanLines, cleanText, uidOf } from '../visits/calendar-file.ts'
import type { FeedBooking } from './feed.store.ts'

/** How often calendar programs should read the feed. Google ignores this and reads it every few hours. */
const refreshSeconds = 15 * 60

/**
 * Returns a calendar file (iCalendar) of bookings, with all times in UTC. The same bookings give the same bytes. `address`: the public
 * origin of this server.
 */
export function createFeedFile(bookings: readonly FeedBooking[], address: string): string {
  const { hostname } = new URL(address)
  const calendar = ical({
    prodId: { company: 'Foyer', product: 'Bookings', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    name: 'Foyer bookings',
    ttl: refreshSeconds,
  })
  for (const booking of bookings)
    calendar.createEvent({
      id: uidOf(booking.id, hostname),
      sequence: booking.version - 1,
      // not the current time, so that the file changes only when a booking changes
      stamp: new Date(booking.updated_at),
      created: new Date(booking.created_at),
      lastModified: new Date(booking.updated_at),
      start: new Date(booking.start_time),
      end: new Date(booking.end_time),
      summary: cleanText(titleOf(booking)),
      description: cleanLines(describe(booking)),
      status: ICalEventStatus.CONFIRMED,
      url: `${address}/bookings/calendar/${booking.id}`,
    })
  return calendar.toString()
}

function titleOf(booking: FeedBooking): string {
  const name = nameOf(booking)
  return name === '' ? booking.title : `${booking.title}: ${name}`
}

/** The visitor is named in the text and is not an attendee, because some calendar programs send mails to attendees. */
function describe(booking: FeedBooking): string {
  const { attendee_email, attendee_phone, description, notes, answers } = booking
  const contact = [nameOf(booking), attendee_email, attendee_phone]
  const answered = (answers?.values ?? []).map(({ label, text }) => `${label}: ${text}`)
  return [contact, [description], [notes], answered]
    .map((lines) => lines.filter((line) => line !== '').join('\n'))
    .filter((part) => part !== '')
    .join('\n\n')
}

const nameOf = ({ attendee_name, contact_name }: FeedBooking): string => attendee_name || contact_name
