import type { BookingLink } from '#contract/bookingLinks.ts'
import { nameFields } from '#contract/formFields.ts'
import type { Database } from '#server/platform/database/database.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import type { BusyTime } from '#server/booking-links/booking-links.ts'
import { toLocalTime } from '#server/platform/time/local-time.ts'

/** A booking link as its visitors need it, with the name, the time zone and the country of its owner. */
export type PublicLink = Omit<BookingLink, 'created_at' | 'updated_at' | 'booking_count' | 'waiting_count' | 'waiting'> & {
  owner: string
  owner_name: string
  owner_timezone: string
  owner_country: string
}

/** Returns the owner and the id of the link at a public address; undefined if there is none. */
export async function findLinkBySlug(
  database: Database,
  visitor: Caller,
  slug: string,
): Promise<{ owner: string; id: string } | undefined> {
  const [found] = await database.read(visitor, () =>
    sql<{ owner: string; id: string }>('select owner, id from app.booking_link_by_slug($1)', [slug]),
  )
  return found
}

/** Reads a link; undefined if it was deleted. */
export async function readPublicLink(owner: string, id: string): Promise<PublicLink | undefined> {
  const [link] = await sql<PublicLink>(
    `select l.user_id as owner, l.id, l.version, l.title, l.slug, l.description, l.color, l.duration_minutes, l.step_minutes, l.notice_minutes,
       l.buffer_before_minutes, l.buffer_after_minutes, l.window_days, l.max_per_day, l.max_per_visitor, l.cutoff_minutes, l.is_active,
       l.availability, l.questions, p.full_name as owner_name, p.timezone as owner_timezone,
       p.country as owner_country
     from booking_links l join profiles p on p.user_id = l.user_id where l.user_id = $1 and l.id = $2`,
    [owner, id],
  )
  // each write gives names to the questions; links that were stored before that rule have questions without names
  return link?.questions ? { ...link, questions: { fields: nameFields(link.questions.fields) } } : link
}

/** Makes the bookings of visitors of one owner wait for each other, until the end of the transaction. */
export const lockOwner = (owner: string): Promise<unknown> => sql('select from profiles where user_id = $1 for no key update', [owner])

const minuteMs = 60_000
const hourMs = 60 * minuteMs

type BusyRequest = {
  link: PublicLink
  fromMs: number
  toMs: number
  exceptBooking?: string | undefined
  /** The range is one time of the link: only bookings that overlap it or count for the limit of its day are read. */
  isOneTime?: boolean
}

/**
 * Reads the busy times of the owner in a range, also those of other calendars, in one query. Bookings by the link also have their
 * day if the link has a limit for a day. `exceptBooking`: the booking that is moved, whose own time is free for it.
 */
export async function readBusyTimes({ link, fromMs, toMs, exceptBooking, isOneTime = false }: BusyRequest): Promise<BusyTime[]> {
  const { buffer_before_minutes: before, buffer_after_minutes: after } = link
  // 216 hours: a booking lasts at most 168 hours and a buffer 24; another 24, because the limit of a day counts days in the owner's zone.
  // 72 hours: a visit lasts at most 24 hours, and so do the buffers after it and before the next booking
  const rows = await sql<{ busy_from_ms: number; busy_to_ms: number; booking_start_ms: number; is_by_link: boolean }>(
    `select (extract(epoch from lower(busy)) * 1000)::bigint as busy_from_ms,
       (extract(epoch from upper(busy)) * 1000)::bigint as busy_to_ms,
       (extract(epoch from start_time) * 1000)::bigint as booking_start_ms, coalesce(booking_link_id = $2, false) as is_by_link
     from bookings where user_id = $1 and status <> 'cancelled' and start_time > $3 and start_time < $4 and ($5::uuid is null or id <> $5)
       and (not $6 or busy && tstzrange($7, $8) or ($9 and booking_link_id = $2))
     union all
     select (extract(epoch from lower(joined)) * 1000)::bigint, (extract(epoch from upper(joined)) * 1000)::bigint, 0::bigint, false
     from (select unnest(range_agg(tstzrange(t.start_time, t.end_time))) as joined
       from other_calendar_times t join other_calendars c on c.user_id = t.user_id and c.id = t.calendar_id
       where t.user_id = $1 and t.end_time > $10 and t.start_time < $4) times`,
    [
      link.owner,
      link.id,
      new Date(fromMs - 216 * hourMs),
      new Date(toMs + 72 * hourMs),
      exceptBooking ?? null,
      isOneTime,
      new Date(fromMs - before * minuteMs),
      new Date(toMs + after * minuteMs),
      link.max_per_day !== null,
      new Date(fromMs - 24 * hourMs),
    ],
  )
  return rows.map(({ busy_from_ms: startMs, busy_to_ms: endMs, booking_start_ms: bookingStartMs, is_by_link: isByLink }) => ({
    startMs,
    endMs,
    ...(isByLink && link.max_per_day !== null && { dayOfLink: toLocalTime(link.owner_timezone, bookingStartMs).date }),
  }))
}
