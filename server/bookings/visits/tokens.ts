import * as z from 'zod/mini'
import { createSigner } from '#server/platform/security/signer.ts'

/**
 * What a visitor may do with a link in a mail: a link to cancel is not valid for moving. `booked` shows the confirmation of a booking.
 * `wait` is for a row of `booking_waits`: it shows that the visitor waits, and stops it.
 */
export type TokenPurpose = 'cancel' | 'move' | 'booked' | 'wait'

/** A booking of an owner, or a visitor who waits. */
export type BookingReference = { owner: string; id: string }

/** The booking decides how long a link works, not the token. With a fixed time, the same booking always has the same token. */
const expiresAt = new Date('2999-12-31')

const Content = z.tuple([z.uuid(), z.uuid()])

export function signBooking(secret: string, purpose: TokenPurpose, { owner, id }: BookingReference): string {
  return createSigner(secret, `${purpose} booking`).sign(`${owner} ${id}`, expiresAt)
}

/** Returns the booking of a token; undefined for a token that was altered or is for another purpose. */
export function readBookingToken(secret: string, purpose: TokenPurpose, token: string, now: Date): BookingReference | undefined {
  const verified = createSigner(secret, `${purpose} booking`).verify(token, now)
  if (typeof verified === 'string') return undefined
  const { data } = z.safeParse(Content, verified.text.split(' '))
  return data && { owner: data[0], id: data[1] }
}
