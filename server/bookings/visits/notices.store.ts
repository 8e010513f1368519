import type pg from 'pg'
import type { Booking } from '#contract/bookings.ts'
import { sql } from '#server/platform/database/database.ts'

/** What the last mail to a visitor says about a booking. The email is that of the visitor, also if the owner has removed it since. */
export type Notice = Pick<Booking, 'id' | 'title' | 'start_time' | 'end_time' | 'timezone' | 'attendee_email'> & {
  status: 'confirmed' | 'cancelled'
}

/**
 * Reads and locks the notice of a booking; undefined if its visitor has never got a mail. `due_at`: when the next mail may be sent, a
 * minute after the last change of the booking; null if that is now. The statement compares with the clock of the database, because triggers
 * have stored the time of the change with this clock.
 */
export async function lockNotice(owner: string, id: string): Promise<(Notice & { due_at: string | null }) | undefined> {
  const [notice] = await sql<Notice & { due_at: string | null }>(
    `select id, title, start_time, end_time, timezone, attendee_email, status,
       case when changed_at > now() - interval '1 minute' then changed_at + interval '1 minute' end as due_at
     from booking_notices where user_id = $1 and id = $2 for update`,
    [owner, id],
  )
  return notice
}

/** Returns the email to which the last mail about a booking was sent; empty if its visitor has never got one. */
export async function readLastEmail(owner: string, id: string): Promise<string> {
  const [notice] = await sql<{ attendee_email: string }>('select attendee_email from booking_notices where user_id = $1 and id = $2', [
    owner,
    id,
  ])
  return notice?.attendee_email ?? ''
}

/**
 * Stores what the mail to the visitor says now. Keeps the last email address if that of the notice is empty, because then no mail is sent.
 * Returns the sequence number of its calendar file, which increases with each notice of the booking, also when the booking was deleted and
 * restored.
 */
export async function storeNotice(owner: string, notice: Notice): Promise<number> {
  const { id, title, start_time: start, end_time: end, timezone, attendee_email: email, status } = notice
  const [row] = await sql<{ sequence: number }>(
    `insert into booking_notices (user_id, id, title, start_time, end_time, timezone, attendee_email, status)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (user_id, id) do update set title = excluded.title, start_time = excluded.start_time, end_time = excluded.end_time,
       timezone = excluded.timezone, attendee_email = coalesce(nullif(excluded.attendee_email, ''), booking_notices.attendee_email),
       status = excluded.status,
       sequence = booking_notices.sequence + 1
     returning sequence`,
    [owner, id, title, start, end, timezone, email, status],
  )
  return row?.sequence ?? 0
}

/**
 * Deletes notices whose end is more than 30 days ago. Keeps a notice whose booking now ends later: the owner has moved the booking while
 * its email was removed, so no mail was sent. `tableOwner` connects as the role that owns the tables.
 */
export async function deleteOldNotices(tableOwner: pg.Pool, now: Date): Promise<void> {
  await tableOwner.query(
    `delete from booking_notices n where n.end_time < $1
       and not exists (select from bookings b where b.user_id = n.user_id and b.id = n.id and b.end_time >= $1)`,
    [new Date(now.getTime() - 30 * 24 * 60 * 60 * 1000)],
  )
}
