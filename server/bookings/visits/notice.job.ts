// Mails the visitor of a booking what its owner has changed. A trigger of the table adds the job, which mails a minute after the last
// change.
import * as z from 'zod/mini'
import type { Booking } from '#contract/bookings.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { defineJobType, enqueue } from '#server/platform/jobs/enqueue.ts'
import { createJobHandler, type JobHandler } from '#server/platform/jobs/handler.ts'
import { addVisitorMail, readMailDetails, type MailServices, type VisitorMail } from './mails.ts'
import { readBookingWithLink } from './change.ts'
import { lockNotice, type Notice } from './notices.store.ts'

/** The trigger `note_booking_change` adds these jobs. */
const noticeJob = defineJobType('booking notice', z.object({ id: z.uuid() }))

/** Creates the handler of the jobs that compare a booking with the last mail to its visitor, and mail the difference. */
export function createNoticeJobHandler({ database, mail, settings, installationKey, now }: AppContext): JobHandler {
  const services: MailServices = { address: settings.address, installationKey, mail, now }
  return createJobHandler(noticeJob, async ({ caller, payload: { id } }) => {
    const { owner } = caller
    await database.transaction(caller, 'Mailed visitor', async () => {
      const last = await lockNotice(owner, id)
      if (last?.due_at) return enqueue(noticeJob, { id }, { key: id, runAt: new Date(last.due_at) })
      const found = await readBookingWithLink({ database }, { owner, id }) // after the lock, which waits for a change by the visitor
      const mails = last ? findMails(last, found?.booking, now()) : []
      if (mails.length === 0) return
      const link = await readMailDetails(owner, found?.link)
      for (const { event, booking } of mails) await addVisitorMail(services, event, { link, booking })
    })
  })
}

/**
 * Returns the mails about what happened to a booking since the last mail to its visitor; none if the booking has begun.
 *
 * A visitor whose email the owner has removed still has the booking. This visitor gets a mail only when the booking is cancelled or
 * deleted, or when the owner enters another email. Once the time in the last mail is over, the visitor gets a mail only when the booking is
 * cancelled. Without a mail the job stores nothing, so that a booking whose email is entered later is compared with the last mail.
 */
function findMails(last: Notice, booking: Booking | undefined, now: Date): VisitorMail[] {
  const isInFuture = ({ start_time: start }: Pick<Booking, 'start_time'>): boolean => Date.parse(start) > now.getTime()
  const { attendee_email: lastEmail } = last
  if (!booking || booking.status === 'cancelled') {
    const cancelled = { ...(booking ?? last), attendee_email: lastEmail } // the mail about a deleted booking has its last values
    return last.status === 'confirmed' && (isInFuture(last) || (booking?.attendee_email === '' && isInFuture(booking)))
      ? [{ event: 'cancelled', booking: cancelled }]
      : []
  }
  if (booking.status !== 'confirmed' || booking.attendee_email === '' || !isInFuture(booking)) return []
  if (last.status === 'cancelled') return [{ event: 'booked', booking }]
  if (!hasSameEmail(last, booking)) {
    const isReplaced = lastEmail !== '' && isInFuture(last)
    return [...(isReplaced ? [{ event: 'cancelled' as const, booking: last }] : []), { event: 'booked', booking }]
  }
  const hasSame = (field: 'start_time' | 'end_time'): boolean => Date.parse(last[field]) === Date.parse(booking[field])
  return hasSame('start_time') && hasSame('end_time') ? [] : [{ event: 'moved', booking }]
}

const hasSameEmail = (one: Notice, other: Booking): boolean => one.attendee_email.toLowerCase() === other.attendee_email.toLowerCase()
