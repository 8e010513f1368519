// The mails about bookings of visitors. Mails to a visitor have no text that a visitor has written, because anybody can enter the email of
// somebody else.
import type { Booking } from '#contract/bookings.ts'
import { formatAnswerText } from '#contract/answerTexts.ts'
import { localeOf } from '#contract/locales.ts'
import { addMail, type NewMail } from '#server/outbox/outbox.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import { createCalendarFile, uidOf } from './calendar-file.ts'
import { formatCutoff, isPastCutoff } from './cutoff.ts'
import type { PublicLink } from './links.store.ts'
import { formatTimezone, formatWhen } from './offered.ts'
import { storeNotice } from './notices.store.ts'
import { signBooking } from './tokens.ts'

/** What the mails need: the public origin, the installation's key, whether there is a mail server, and the current time. */
export type MailServices = { address: string; installationKey: string; mail: Pick<Mail, 'isConfigured'>; now: () => Date }

/** What the mails say of the owner and of the booking link. */
type MailDetails = Pick<PublicLink, 'owner' | 'owner_name' | 'owner_timezone' | 'owner_country' | 'cutoff_minutes'>

/** A booking, as its visitor sees it in a mail. */
type VisitorMailContent = {
  link: MailDetails
  booking: Pick<Booking, 'id' | 'title' | 'start_time' | 'end_time' | 'timezone' | 'attendee_email'>
}

/** A booking with its link, and the email of its owner. */
type BookingToMail = {
  link: MailDetails
  booking: VisitorMailContent['booking'] & Pick<Booking, 'attendee_name' | 'attendee_phone' | 'notes' | 'answers'>
  ownerEmail: string
}

type BookingEvent = 'booked' | 'moved' | 'cancelled'

/** What a mail to the email of a booking says. */
export type VisitorMail = Pick<VisitorMailContent, 'booking'> & { event: BookingEvent }

const outcomes: Readonly<Record<BookingEvent, string>> = { booked: 'confirmed', moved: 'moved', cancelled: 'cancelled' }

/**
 * Returns the mails about a new booking, to the visitor and to the owner. The caller must also call `storeNotice`, which stores what the
 * visitor was told last.
 */
export function composeFirstMails(services: MailServices, details: BookingToMail): NewMail[] {
  const sequence = 0 // the number that `storeNotice` gives to the first notice of a booking
  return [toVisitorMail(services, 'booked', details, sequence), toOwnerMail(services, 'booked', details, sequence)]
}

/** Puts the mails for the visitor and for the owner about a changed booking into the outbox, in the open transaction. */
export async function addChangeMails(services: MailServices, event: 'moved' | 'cancelled', details: BookingToMail): Promise<void> {
  const sequence = await addVisitorMail(services, event, details)
  await addMail(services.mail, details.link.owner, toOwnerMail(services, event, details, sequence))
}

/**
 * Puts the mail for the visitor into the outbox, in the open transaction, and stores what it says. A visitor without an email gets none.
 * Returns the sequence number of its calendar file.
 */
export async function addVisitorMail(services: MailServices, event: BookingEvent, { link, booking }: VisitorMailContent): Promise<number> {
  const status = event === 'cancelled' ? 'cancelled' : 'confirmed'
  const sequence = await storeNotice(link.owner, { ...booking, status })
  if (booking.attendee_email !== '') await addMail(services.mail, link.owner, toVisitorMail(services, event, { link, booking }, sequence))
  return sequence
}

/** Reads what the mails say about the owner and the booking link, which is undefined if it was deleted. */
export async function readMailDetails(owner: string, link: PublicLink | undefined): Promise<MailDetails> {
  const [profile] = await sql<{ full_name: string; timezone: string; country: string }>(
    'select full_name, timezone, country from profiles where user_id = $1',
    [owner],
  )
  return {
    owner,
    owner_name: profile?.full_name ?? '',
    owner_timezone: profile?.timezone ?? 'UTC',
    owner_country: profile?.country ?? '',
    cutoff_minutes: link?.cutoff_minutes ?? 0,
  }
}

function toVisitorMail(services: MailServices, event: BookingEvent, { link, booking }: VisitorMailContent, sequence: number): NewMail {
  const text = `Your booking${withOwner(link.owner_name)} is ${outcomes[event]}.

${booking.title}
${describeTime(booking, booking.timezone)}

${event === 'cancelled' ? 'There is nothing else to do.\n' : describeChanges(services, { link, booking })}`
  return {
    to: booking.attendee_email,
    subject: `${capitalise(outcomes[event])}: ${booking.title}`,
    text,
    about: { kind: 'booking', id: booking.id },
    series: 'to visitor',
    expiresAt: new Date(booking.end_time),
    calendar: toCalendarFile(services, event, { link, booking }, { sequence, attendee: { email: booking.attendee_email } }),
  }
}

/** Says how the visitor can change the booking, or whom to contact if it begins too soon. */
function describeChanges({ address, installationKey, now }: MailServices, { link, booking }: VisitorMailContent): string {
  if (isPastCutoff(booking.start_time, link.cutoff_minutes, now()))
    return `It can no longer be moved or cancelled online. To change it, contact ${contactOf(link.owner_name)}.\n`
  const linkTo = (purpose: 'cancel' | 'move'): string =>
    `${address}/booking/${purpose}/${signBooking(installationKey, purpose, link.owner, booking)}`
  return `To move it: ${linkTo('move')}\n\nTo cancel it: ${linkTo('cancel')}\n${describeCutoff(link.cutoff_minutes)}`
}

function toOwnerMail(services: MailServices, event: BookingEvent, { link, booking, ownerEmail }: BookingToMail, sequence: number): NewMail {
  const { attendee_name: name, attendee_email: email, attendee_phone: phone, notes, answers } = booking
  const lines = [
    `Name: ${name}`,
    `Email: ${email}`,
    ...(phone ? [`Phone: ${phone}`] : []),
    ...(answers?.values ?? []).map(({ label, text, type }) => `${label}: ${formatAnswerText(text, type, localeOf(link.owner_country))}`),
    ...(notes ? [`Notes: ${notes}`] : []),
  ]
  const titles: Readonly<Record<BookingEvent, string>> = { booked: 'New booking', moved: 'Booking moved', cancelled: 'Booking cancelled' }
  return {
    to: ownerEmail,
    replyTo: email,
    subject: `${titles[event]}: ${booking.title}`,
    about: { kind: 'booking', id: booking.id },
    series: 'to owner',
    expiresAt: new Date(booking.end_time),
    text: `${titles[event]}${event === 'booked' ? '' : ' by the visitor'}

${booking.title}
${describeTime(booking, link.owner_timezone)}

${lines.join('\n')}
`,
    calendar: toCalendarFile(services, event, { link, booking }, { sequence, attendee: { email, name } }),
  }
}

const describeTime = ({ start_time, end_time }: VisitorMailContent['booking'], timezone: string): string => {
  const start = Date.parse(start_time)
  return `${formatWhen(timezone, start, Date.parse(end_time))} (${formatTimezone(timezone, start)})`
}

function toCalendarFile(
  { address, now }: MailServices,
  event: BookingEvent,
  { link, booking }: VisitorMailContent,
  { sequence, attendee }: { sequence: number; attendee: { email: string; name?: string } },
) {
  const { hostname } = new URL(address)
  return createCalendarFile({
    uid: uidOf(booking.id, hostname),
    sequence,
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

/** Returns ` with Ada Byron`; empty for an owner without a name. */
export const withOwner = (name: string): string => (name === '' ? '' : ` with ${name}`)

/** Returns the person whom a visitor can contact. An owner may have no name. */
export const contactOf = (ownerName: string): string => (ownerName === '' ? 'the person whom you want to meet' : ownerName)

/** Says until when a booking can be changed; empty if it can be changed until its start. */
function describeCutoff(minutes: number): string {
  const cutoff = formatCutoff(minutes)
  return cutoff === '' ? '' : `\nYou can move or cancel it until ${cutoff} before it begins.\n`
}

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
