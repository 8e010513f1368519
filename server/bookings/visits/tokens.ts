import * as z from 'zod/mini'
import { createSigner } from '#server/platform/security/signer.ts'

/**
 * What a visitor may do with a link: a link to cancel is not valid for moving. `booked` shows the confirmation of a booking. `wait` is for a
 * row of `booking_waits`: it shows that the visitor waits, and stops the wait.
 */
type TokenPurpose = 'cancel' | 'move' | 'booked' | 'wait'

/** The id of a booking or of a row of `booking_waits`, with its owner. */
export type TokenReference = { owner: string; id: string }

/** The state of the booking limits how long a link works, not the token. The fixed time gives one booking the same token every time. */
const expiresAt = new Date('2999-12-31')

const Content = z.tuple([z.uuid(), z.uuid()])

export function signBooking(secret: string, purpose: TokenPurpose, { owner, id }: TokenReference): string {
  return createSigner(secret, `${purpose} booking`).sign(`${owner} ${id}`, expiresAt)
}

/** Returns the booking of a token; undefined for a token that was altered or is for another purpose. */
export function readBookingToken(secret: string, purpose: TokenPurpose, token: string, now: Date): TokenReference | undefined {
  const verified = createSigner(secret, `${purpose} booking`).verify(token, now)
  if (typeof verified === 'string') return undefined
  const { data } = z.safeParse(Content, verified.text.split(' '))
  return data && { owner: data[0], id: data[1] }
}

/** An email that waits for times of an owner. The hash is that of `waits.store.ts`, and stays valid when a wait has ended. */
export type WaitingEmail = { owner: string; emailHash: string }

const EmailContent = z.tuple([z.uuid(), z.string().check(z.regex(/^[0-9a-f]{32}$/))])

const createEmailSigner = (secret: string) => createSigner(secret, 'all waits')

/**
 * Returns the token that stops all waits of an email. Only mails contain it, because anybody can enter the email of somebody else on the
 * page.
 */
export const signWaitingEmail = (secret: string, { owner, emailHash }: WaitingEmail): string =>
  createEmailSigner(secret).sign(`${owner} ${emailHash}`, expiresAt)

/** Returns what a token stops: one wait, or all waits of an email. Undefined for a token that was altered or is for another purpose. */
export function readStopToken(secret: string, token: string, now: Date): TokenReference | WaitingEmail | undefined {
  const wait = readBookingToken(secret, 'wait', token, now)
  if (wait) return wait
  const verified = createEmailSigner(secret).verify(token, now)
  if (typeof verified === 'string') return undefined
  const { data } = z.safeParse(EmailContent, verified.text.split(' '))
  return data && { owner: data[0], emailHash: data[1] }
}
