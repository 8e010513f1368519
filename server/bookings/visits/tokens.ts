import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import type { Booking } from '#contract/bookings.ts'
import { createSigner } from '#server/platform/security/signer.ts'

/** What a visitor may do with the link of a booking: a link to cancel is not valid for moving. `booked` shows the confirmation. */
type BookingPurpose = 'cancel' | 'move' | 'booked'

/** The id of a row, with its owner. */
export type TokenReference = { owner: string; id: string }

/** A booking, with a hash of the email that it had when its token was made. */
export type BookingReference = TokenReference & { emailHash: string }

/** The email of the visitor who has a booking; empty if it is not known. */
type BookingEmail = Pick<Booking, 'id' | 'attendee_email'>

/**
 * A link works as long as the state of its booking allows, so its token does not expire. The fixed time gives one booking the same token
 * every time.
 */
const expiresAt = new Date('2999-12-31')

const BookingContent = z.tuple([z.uuid(), z.uuid(), z.string()])

/** Returns the token of a link for the email that the booking has now. */
export const signBooking = (installationKey: string, purpose: BookingPurpose, owner: string, booking: BookingEmail): string =>
  createSigner(installationKey, `${purpose} booking`).sign(`${owner} ${booking.id} ${hashEmail(booking)}`, expiresAt)

/** Returns the booking of a token; undefined for a token that was altered or is for another purpose. */
export function readBookingToken(installationKey: string, purpose: BookingPurpose, token: string, now: Date): BookingReference | undefined {
  const data = readContent(BookingContent, createSigner(installationKey, `${purpose} booking`), token, now)
  return data && { owner: data[0], id: data[1], emailHash: data[2] }
}

/**
 * Whether the booking has the email for which the token was made. The owner may have replaced an email that belongs to somebody else, whose
 * links must then not change the booking. Every token is accepted if the owner has removed the email and `booking_notices` has none either.
 */
export const isForEmail = ({ emailHash }: BookingReference, booking: BookingEmail): boolean =>
  booking.attendee_email === '' || hashEmail(booking) === emailHash

const hashEmail = ({ id, attendee_email: email }: BookingEmail): string =>
  createHash('sha256').update(`${id} ${email.toLowerCase()}`).digest('base64url').slice(0, 16)

const WaitContent = z.tuple([z.uuid(), z.uuid()])

const createWaitSigner = (installationKey: string) => createSigner(installationKey, 'wait booking')

/** Returns a token for a row of `booking_waits`. With its link the visitor sees that they wait, and can stop the wait. */
export const signWait = (installationKey: string, { owner, id }: TokenReference): string =>
  createWaitSigner(installationKey).sign(`${owner} ${id}`, expiresAt)

/** Returns the wait of a token; undefined for a token that was altered or is for another purpose. */
export function readWaitToken(installationKey: string, token: string, now: Date): TokenReference | undefined {
  const data = readContent(WaitContent, createWaitSigner(installationKey), token, now)
  return data && { owner: data[0], id: data[1] }
}

/** An email that waits for times of an owner. The hash is `email_hash` of `waits.store.ts`, and stays valid after the waits have ended. */
export type WaitingEmail = { owner: string; emailHash: string }

const EmailContent = z.tuple([z.uuid(), z.string().check(z.regex(/^[0-9a-f]{32}$/))])

const createEmailSigner = (installationKey: string) => createSigner(installationKey, 'all waits')

/**
 * Returns the token that stops all waits of an email. Only mails contain it, because anybody can enter the email of somebody else on the
 * page.
 */
export const signWaitingEmail = (installationKey: string, { owner, emailHash }: WaitingEmail): string =>
  createEmailSigner(installationKey).sign(`${owner} ${emailHash}`, expiresAt)

/** Returns what a token stops: one wait, or all waits of an email. Undefined for a token that was altered or is for another purpose. */
export function readStopToken(installationKey: string, token: string, now: Date): TokenReference | WaitingEmail | undefined {
  const wait = readWaitToken(installationKey, token, now)
  if (wait) return wait
  const data = readContent(EmailContent, createEmailSigner(installationKey), token, now)
  return data && { owner: data[0], emailHash: data[1] }
}

/** Returns the content of a token, whose parts are separated by spaces; undefined for a token that was altered. */
function readContent<Content>(
  schema: z.ZodMiniType<Content>,
  signer: ReturnType<typeof createSigner>,
  token: string,
  now: Date,
): Content | undefined {
  const verified = signer.verify(token, now)
  return typeof verified === 'string' ? undefined : z.safeParse(schema, verified.text.split(' ')).data
}
