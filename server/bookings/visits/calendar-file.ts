import ical, { ICalAttendeeRole, ICalAttendeeStatus, ICalCalendarMethod, ICalEventStatus } from 'ical-generator'

/**
 * An appointment for a calendar file. `sequence` counts its changes. In files for mails to the attendee, the attendee has no name, because
 * anybody can enter the email of somebody else with any name. Without an email, the attendee is left out.
 */
export type Appointment = {
  uid: string
  sequence: number
  isCancelled: boolean
  title: string
  description: string
  start: Date
  end: Date
  organizer: { name: string; email: string }
  attendee: { name?: string; email: string }
  /** The time at which the file is made. */
  at: Date
}

/** The UID of a booking in calendar files: the same in mails and in the feed, so that our bookings in other calendars are recognised. */
export const uidOf = (bookingId: string, hostname: string): string => `${bookingId}@${hostname}`

/** Returns a calendar file (iCalendar) that adds or changes the appointment or, if it is cancelled, removes it. Times are in UTC. */
export function createCalendarFile(appointment: Appointment): { method: 'REQUEST' | 'CANCEL'; content: string } {
  const { uid, sequence, isCancelled, title, description, start, end, organizer, attendee, at } = appointment
  const method = isCancelled ? 'CANCEL' : 'REQUEST'
  const calendar = ical({ prodId: { company: 'Foyer', product: 'Bookings', language: 'EN' }, method: ICalCalendarMethod[method] })
  calendar.createEvent({
    id: uid,
    sequence,
    stamp: at,
    start,
    end,
    summary: cleanText(title),
    description: cleanLines(description),
    status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    organizer: { name: cleanText(organizer.name) || 'Foyer', email: organizer.email },
    attendees: attendee.email === '' ? [] : [toAttendee(attendee)],
  })
  return { method, content: calendar.toString() }
}

const toAttendee = ({ name, email }: Appointment['attendee']) => ({
  email: cleanText(email),
  ...(name !== undefined && { name: cleanText(name) || cleanText(email) }),
  role: ICalAttendeeRole.REQ,
  status: ICalAttendeeStatus.ACCEPTED,
  rsvp: false,
})

/** Replaces control characters and line breaks, which would begin a new line of the file, and quotes, which would end a parameter. */
export const cleanText = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029"]+/gu, ' ').trim()
/** Applies `cleanText` to each line of a text. */
export const cleanLines = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map(cleanText)
    .join('\n')
