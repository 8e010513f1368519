import * as z from 'zod/mini'
import { createSigner } from '#server/platform/security/signer.ts'

/**
 * What a visitor may do with a link: a link to cancel is not valid for moving. `booked` shows the confirmation of a booking. The others are
 * for a row of `booking_waits`: `wait` shows that the visitor waits and stops this, and `all waits` stops everything for which the email of
 * this row waits. Only mails have `all waits`, because anybody can enter the email of somebody else on the page.
 */
type TokenPurpose = 'cancel' | 'move' | 'booked' | 'wait' | 'all waits'

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

/** A visitor who waits. `stopsAll`: the token stops everything for which the email of this visitor waits. */
export type WaitReference = BookingReference & { stopsAll: boolean }

/** Returns the visitor of a token that stops waiting; undefined for a token that was altered or is for another purpose. */
export function readStopToken(secret: string, token: string, now: Date): WaitReference | undefined {
  const one = readBookingToken(secret, 'wait', token, now)
  if (one) return { ...one, stopsAll: false }
  const all = readBookingToken(secret, 'all waits', token, now)
  return all && { ...all, stopsAll: true }
}
