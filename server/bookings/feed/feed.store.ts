import type { Booking } from '#contract/bookings.ts'
import { sql } from '#server/platform/database/database.ts'

/** Returns the id of the owner's feed; undefined while it is off. */
export async function findFeedId(owner: string): Promise<string | undefined> {
  const [feed] = await sql<{ id: string }>('select id from calendar_feeds where user_id = $1', [owner])
  return feed?.id
}

/** Turns the feed on with a new id, or replaces the id. Returns the new one. */
export async function replaceFeed(owner: string): Promise<string> {
  const [, , [feed]] = await Promise.all([
    sql('select from profiles where user_id = $1 for no key update', [owner]), // the lock lets two requests at the same time both succeed
    deleteFeed(owner),
    sql<{ id: string }>('insert into calendar_feeds (user_id) values ($1) returning id', [owner]),
  ])
  if (!feed) throw new Error('The feed was not inserted')
  return feed.id
}

export async function deleteFeed(owner: string): Promise<void> {
  await sql('delete from calendar_feeds where user_id = $1', [owner])
}

export type FeedBooking = Pick<
  Booking,
  | 'id'
  | 'version'
  | 'created_at'
  | 'updated_at'
  | 'title'
  | 'description'
  | 'start_time'
  | 'end_time'
  | 'attendee_name'
  | 'attendee_email'
  | 'attendee_phone'
  | 'notes'
  | 'contact_name'
  | 'answers'
>

/** The maximum number of bookings in a feed. Calendar programs refuse very large files. */
const maxFeedBookings = 5000

/**
 * Reads the bookings that are not cancelled and end after `from`, sorted by start. If they are too many, takes the next ones
 * after `now`, then the last ones before it. The lower limit of `start_time` is for the index: no booking is longer than 168 hours.
 */
export async function readFeedBookings(owner: string, from: Date, now: Date): Promise<FeedBooking[]> {
  const bookings = await sql<FeedBooking>(
    `select b.id, b.version, b.created_at, b.updated_at, b.title, b.description, b.start_time, b.end_time, b.attendee_name,
       b.attendee_email, b.attendee_phone, b.notes, b.answers, coalesce(trim(c.first_name || ' ' || c.last_name), '') as contact_name
     from bookings b left join crm_contacts c on c.user_id = b.user_id and c.id = b.contact_id
     where b.user_id = $1 and b.status <> 'cancelled' and b.end_time > $2 and b.start_time > $2::timestamptz - interval '168 hours'
     order by b.start_time < $3, abs(extract(epoch from b.start_time - $3::timestamptz)), b.id limit ${maxFeedBookings}`,
    [owner, from, now],
  )
  return bookings.toSorted((one, other) => Date.parse(one.start_time) - Date.parse(other.start_time))
}
