// Mails the visitor of a booking what its owner has changed. A trigger of the table adds the job, which runs a minute after the change.
import * as z from 'zod/mini'
import type { Booking } from '#contract/bookings.ts'
import type { AppContext } from '#server/platform/feature/context.ts'
import { defineJobType } from '#server/platform/jobs/enqueue.ts'
import { createJobHandler, type JobHandler } from '#server/platform/jobs/handler.ts'
import { addVisitorMail, readMailDetails, type BookingEvent, type MailServices } from './mails.ts'
import { readVisitorBooking } from './change.ts'
import { lockNotice, type Notice } from './notices.store.ts'

/** The trigger `note_booking_change` adds these jobs. */
const noticeJob = defineJobType('booking notice', z.object({ id: z.uuid() }))

/** Creates the handler of the jobs that compare a booking with the last mail to its visitor, and mail the difference. */
export function createNoticeJobHandler({ database, mail, settings, secret, now }: AppContext): JobHandler {
  const services: MailServices = { address: settings.address, secret, mail, now }
  return createJobHandler(noticeJob, async ({ caller, payload: { id } }) => {
    const { owner } = caller
    await database.transaction(caller, 'Mailed visitor', async () => {
      const last = await lockNotice(owner, id)
      const found = await readVisitorBooking({ database }, { owner, id }) // after the lock, which waits for a change by the visitor
      const event = last && findEvent(last, found?.booking, now())
      if (!event) return
      const booking = found?.booking ?? last // the mail about a deleted booking has its last values
      const link = await readMailDetails(owner, found?.link)
      await addVisitorMail(services, event, { link, booking })
    })
  })
}

/** Returns what happened to a booking since the last mail to its visitor; undefined if there is nothing to mail, or it has begun. */
function findEvent(last: Notice, booking: Booking | undefined, now: Date): BookingEvent | undefined {
  const isInFuture = ({ start_time: start }: Pick<Booking, 'start_time'>): boolean => Date.parse(start) > now.getTime()
  if (!booking || booking.status === 'cancelled') return last.status === 'confirmed' && isInFuture(last) ? 'cancelled' : undefined
  if (booking.status !== 'confirmed' || !isInFuture(booking)) return undefined
  if (last.status === 'cancelled') return 'booked'
  const hasSame = (field: 'start_time' | 'end_time'): boolean => Date.parse(last[field]) === Date.parse(booking[field])
  return hasSame('start_time') && hasSame('end_time') ? undefined : 'moved'
}
