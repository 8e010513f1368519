// The conditions under which a visitor can book a time. They are checked in the batch that writes the booking, after `lockOwner`.
import type { NewVisit } from '#contract/publicBookings.ts'
import { requireTrue, unmetReason } from '#server/platform/database/requirement.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { toFirstInstant, toLocalTime } from '#server/platform/time/local-time.ts'
import type { PublicLink } from './links.store.ts'
import { endOf } from './offered.ts'

const linkUnchanged = 'the link is unchanged'
const notBusyElsewhere = 'no other calendar is busy'
const dayNotFull = 'the day has fewer bookings than its limit'
const visitorBelowLimit = 'the email has fewer bookings than its limit'

const minuteMs = 60_000

/**
 * Rolls back the transaction if the link was edited since it was read, if another calendar is busy, or if a limit of the link is reached.
 * Another booking at the same time violates the constraint of the table.
 */
export async function requireConditions(link: PublicLink, { start_time: startTime, email }: NewVisit, now: Date): Promise<void> {
  const { owner, id, version, owner_timezone: zone, max_per_day: maxPerDay, max_per_visitor: maxPerVisitor } = link
  const start = Date.parse(startTime)
  const { date } = toLocalTime(zone, start)
  await requireTrue(
    {
      condition: `exists (select from booking_links l join profiles p on p.user_id = l.user_id
        where l.user_id = $1 and l.id = $2 and l.version = $3 and p.timezone = $4)`,
      values: [owner, id, version, zone],
      reason: linkUnchanged,
    },
    {
      condition: `not exists (select from other_calendar_times t join other_calendars c on c.user_id = t.user_id and c.id = t.calendar_id
        where t.user_id = $1 and t.end_time > $2 and t.start_time < $3)`,
      values: [
        owner,
        new Date(start - link.buffer_before_minutes * minuteMs),
        new Date(endOf(link, start) + link.buffer_after_minutes * minuteMs),
      ],
      reason: notBusyElsewhere,
    },
    ...(maxPerDay === null
      ? []
      : [
          {
            condition: `(select count(*) from bookings where user_id = $1 and booking_link_id = $2 and status <> 'cancelled'
              and start_time >= $3 and start_time < $4) < $5`,
            values: [owner, id, new Date(toFirstInstant(zone, date, 0)), new Date(toFirstInstant(zone, date, 24 * 60)), maxPerDay],
            reason: dayNotFull,
          },
        ]),
    ...(maxPerVisitor === null
      ? []
      : [
          {
            condition: `(select count(*) from bookings where user_id = $1 and booking_link_id = $2 and status = 'confirmed' and start_time > $3
              and lower(attendee_email) = lower($4)) < $5`,
            values: [owner, id, now, email, maxPerVisitor],
            reason: visitorBelowLimit,
          },
        ]),
  )
}

/**
 * Converts the error of a condition that is not met to one for the visitor. Returns every other error unchanged. The error of an edited
 * link is unchanged too, because the caller then tries again.
 */
export function toVisitorError(error: unknown): unknown {
  const reason = unmetReason(error)
  if (reason === notBusyElsewhere || reason === dayNotFull) return new Refusal('slot_taken', {}, error)
  if (reason !== visitorBelowLimit) return error
  const message = 'There are as many bookings with this email as can be made. Cancel one of them first.'
  return new Refusal('invalid', { fields: { email: message } }, error)
}
