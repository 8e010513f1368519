// The visitors who wait for a free time of a booking link.
import type pg from 'pg'
import { sql } from '#server/platform/database/database.ts'

/** A visitor who waits. The days are in the visitor's time zone. `known_times`: the free starts in ms that the visitor could have booked. */
export type Wait = {
  id: string
  booking_link_id: string
  email: string
  timezone: string
  first_day: string
  last_day: string
  from_time: string
  until_time: string
  known_times: number[]
}

const columns = `id, booking_link_id, email, timezone, to_char(first_day, 'YYYY-MM-DD') as first_day, to_char(last_day, 'YYYY-MM-DD') as last_day,
  from_time, until_time, known_times`

/** Stores that a visitor waits, and returns the id. A visitor who waits for the same days already, or was told, waits again. */
export async function storeWait(owner: string, wait: Omit<Wait, 'id'> & { name: string }): Promise<string> {
  const { booking_link_id: link, name, email, timezone, first_day: first, last_day: last, from_time: from, until_time: until } = wait
  const [row] = await sql<{ id: string }>(
    `insert into booking_waits (user_id, booking_link_id, name, email, timezone, first_day, last_day, from_time, until_time, known_times)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (user_id, booking_link_id, lower(email), first_day, last_day) do update set name = excluded.name,
       timezone = excluded.timezone, from_time = excluded.from_time, until_time = excluded.until_time, known_times = excluded.known_times,
       told_at = null
     returning id`,
    [owner, link, name, email, timezone, first, last, from, until, JSON.stringify(wait.known_times)],
  )
  return row?.id ?? ''
}

/** Counts the open waits of an email with this owner, and those of a link. */
export async function countWaits(owner: string, link: string, email: string, now: Date): Promise<{ ofEmail: number; ofLink: number }> {
  const [row] = await sql<{ of_email: number; of_link: number }>(
    `select count(*) filter (where lower(email) = lower($3)) as of_email, count(*) filter (where booking_link_id = $2) as of_link
     from booking_waits where user_id = $1 and told_at is null and until_time > $4`,
    [owner, link, email, now],
  )
  return { ofEmail: row?.of_email ?? 0, ofLink: row?.of_link ?? 0 }
}

/** Reads one wait; undefined if it was stopped or has ended. */
export async function findWait(owner: string, id: string): Promise<Wait | undefined> {
  const [wait] = await sql<Wait>(`select ${columns} from booking_waits where user_id = $1 and id = $2`, [owner, id])
  return wait
}

/** Finds the wait that a form has stored. */
export async function findSentWait(
  owner: string,
  { link, email, date, days }: { link: string; email: string; date: string; days: number },
): Promise<Wait | undefined> {
  const [wait] = await sql<Wait>(
    `select ${columns} from booking_waits where user_id = $1 and booking_link_id = $2 and lower(email) = lower($3)
       and to_char(first_day, 'YYYY-MM-DD') = $4 and last_day = first_day + $5::int - 1`,
    [owner, link, email, date, days],
  )
  return wait
}

/** Reads the visitors who wait, by link. */
export const listWaits = (owner: string, now: Date): Promise<Wait[]> =>
  sql<Wait>(
    `select ${columns} from booking_waits where user_id = $1 and told_at is null and until_time > $2 order by booking_link_id, first_day, id`,
    [owner, now],
  )

/** Sets that a visitor was told. Returns false if another job has done it before, or the visitor has stopped it. */
export async function setTold(owner: string, id: string, now: Date): Promise<boolean> {
  const rows = await sql('update booking_waits set told_at = $3 where user_id = $1 and id = $2 and told_at is null returning id', [
    owner,
    id,
    now,
  ])
  return rows.length > 0
}

/** Replaces the free starts that a visitor could have booked, so that a time that becomes free again is told. */
export const setKnownTimes = (owner: string, id: string, times: readonly number[]): Promise<unknown> =>
  sql('update booking_waits set known_times = $3 where user_id = $1 and id = $2', [owner, id, JSON.stringify(times)])

/** Deletes one wait. */
export const deleteWait = (owner: string, id: string): Promise<unknown> =>
  sql('delete from booking_waits where user_id = $1 and id = $2', [owner, id])

/** Deletes everything for which the email of this wait waits. */
export const deleteWaitsOf = (owner: string, id: string): Promise<unknown> =>
  sql(
    `delete from booking_waits where user_id = $1 and lower(email) = (select lower(email) from booking_waits where user_id = $1 and id = $2)`,
    [owner, id],
  )

/**
 * Deletes what has ended, and adds a job for each owner for whose visitors a time may be free. `tableOwner` connects as the role that owns
 * the tables.
 */
export async function enqueueWaits(tableOwner: pg.Pool, now: Date): Promise<void> {
  await tableOwner.query('delete from booking_waits where until_time <= $1', [now])
  await tableOwner.query(
    `with added as (
       insert into jobs.jobs (owner, type, payload, key)
       select distinct user_id, 'booking waits', '{}'::jsonb, 'waits' from booking_waits where told_at is null
       on conflict do nothing returning id)
     select pg_notify('jobs', '') from added limit 1`,
  )
}
