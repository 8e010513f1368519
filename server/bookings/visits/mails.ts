// The mails about bookings of visitors. Mails to a visitor have no text that a visitor has written, because anybody can enter the address of
// somebody else.
import type { Booking } from '#contract/bookings.ts'
import { addMail } from '#server/outbox/outbox.ts'
import { createCalendarFile } from './calendar-file.ts'
import type { PublicLink } from './links.store.ts'
import { formatTimezone, formatWhen } from './offered.ts'
import { signBooking } from './tokens.ts'

/** What the mails need: the public origin, the installation's key and the current time. */
export type MailServices = { address: string; secret: string; now: () => Date }

/** A booking with its link, and the email of its owner. */
export type BookingToMail = {
  link: Pick<PublicLink, 'title' | 'owner' | 'owner_name' | 'owner_timezone' | 'cutoff_minutes'>
  booking: Pick<
    Booking,
    | 'id'
    | 'version'
    | 'title'
    | 'start_time'
    | 'end_time'
    | 'timezone'
    | 'attendee_name'
    | 'attendee_email'
    | 'attendee_phone'
    | 'notes'
    | 'answers'
  >
  ownerEmail: string
}

export type BookingEvent = 'booked' | 'moved' | 'cancelled'

const outcomes: Readonly<Record<BookingEvent, string>> = { booked: 'confirmed', moved: 'moved', cancelled: 'cancelled' }

/** Adds the mails to the visitor and to the owner to the outbox, in the open transaction. */
export async function addBookingMails(services: MailServices, event: BookingEvent, details: BookingToMail): Promise<void> {
  const { owner } = details.link
  await Promise.all([addMail(owner, toVisitorMail(services, event, details)), addMail(owner, toOwnerMail(services, event, details))])
}

function toVisitorMail(services: MailServices, event: BookingEvent, { link, booking }: BookingToMail) {
  const { address, secret } = services
  const linkTo = (purpose: 'cancel' | 'move'): string =>
    `${address}/booking/${purpose}/${signBooking(secret, purpose, { owner: link.owner, id: booking.id })}`
  const changes = `To move it: ${linkTo('move')}\n\nTo cancel it: ${linkTo('cancel')}\n${describeCutoff(link.cutoff_minutes)}`
  const text = `Your booking${withOwner(link.owner_name)} is ${outcomes[event]}.

${booking.title}
${describeTime(booking, booking.timezone)}

${event === 'cancelled' ? 'The time is free again. There is nothing else to do.\n' : changes}`
  return {
    to: booking.attendee_email,
    subject: `${capitalise(outcomes[event])}: ${booking.title}`,
    text,
    calendar: toCalendarFile(services, event, { link, booking }, { email: booking.attendee_email }),
  }
}

function toOwnerMail(services: MailServices, event: BookingEvent, { link, booking, ownerEmail }: BookingToMail) {
  const { attendee_name: name, attendee_email: email, attendee_phone: phone, notes, answers } = booking
  const lines = [
    `Name: ${name}`,
    `Email: ${email}`,
    ...(phone ? [`Phone: ${phone}`] : []),
    ...(answers?.values ?? []).map(({ label, text }) => `${label}: ${text}`),
    ...(notes ? [`Notes: ${notes}`] : []),
  ]
  const titles: Readonly<Record<BookingEvent, string>> = { booked: 'New booking', moved: 'Booking moved', cancelled: 'Booking cancelled' }
  return {
    to: ownerEmail,
    replyTo: email,
    subject: `${titles[event]}: ${booking.title}`,
    text: `${titles[event]}${event === 'booked' ? '' : ' by the visitor'}

${booking.title}
${describeTime(booking, link.owner_timezone)}

${lines.join('\n')}
`,
    calendar: toCalendarFile(services, event, { link, booking }, { email, name }),
  }
}

const describeTime = ({ start_time, end_time }: BookingToMail['booking'], timezone: string): string => {
  const start = Date.parse(start_time)
  return `${formatWhen(timezone, start, Date.parse(end_time))} (${formatTimezone(timezone, start)})`
}

function toCalendarFile(
  { address, now }: MailServices,
  event: BookingEvent,
  { link, booking }: Pick<BookingToMail, 'link' | 'booking'>,
  attendee: { email: string; name?: string },
) {
  const { hostname } = new URL(address)
  return createCalendarFile({
    uid: `${booking.id}@${hostname}`,
    sequence: booking.version - 1,
    isCancelled: event === 'cancelled',
    title: booking.title,
    description: '',
    start: new Date(booking.start_time),
    end: new Date(booking.end_time),
    organizer: { name: link.owner_name, email: `bookings@${hostname}` },
    attendee,
    at: now(),
  })
}

const withOwner = (name: string): string => (name === '' ? '' : ` with ${name}`)

/** Says until when a booking can be changed; empty if it can be changed until its start. */
function describeCutoff(minutes: number): string {
  return minutes === 0 ? '' : `\nYou can move or cancel it until ${formatDuration(minutes)} before it begins.\n`
}

/** Returns a duration as `3 days`, `36 hours` or `90 minutes`: in the largest unit of which it is a multiple. */
export function formatDuration(minutes: number): string {
  const units = [
    ['day', 24 * 60],
    ['hour', 60],
    ['minute', 1],
  ] as const
  const [name, size] = units.find(([, each]) => minutes % each === 0) ?? units[2]
  return `${minutes / size} ${name}${minutes === size ? '' : 's'}`
}

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
