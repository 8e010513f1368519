import { maxBusyRows, type OtherBusyTime, type OtherCalendar } from '#contract/otherCalendars.ts'
import { sql } from '#server/platform/database/database.ts'

/** A stored calendar, and what the next read needs. */
export type StoredCalendar = Omit<OtherCalendar, 'is_due'> & {
  sealed_address: string
  etag: string | null
  last_modified: string | null
  timezone: string
  read_until: string | null
  failures: number
}

const selectCalendars = `select c.id, c.name, c.created_at, s.host, s.last_read_at, s.next_read_at, s.problem, s.unreadable_events,
    s.sealed_address, s.etag, s.last_modified, s.timezone, s.read_until, s.failures,
    (select count(*) from other_calendar_times t where t.user_id = $1 and t.calendar_id = c.id)::int as busy_times
  from other_calendars c join other_calendar_sources s on s.user_id = c.user_id and s.id = c.id where c.user_id = $1`

export const readCalendars = (owner: string): Promise<StoredCalendar[]> =>
  sql<StoredCalendar>(`${selectCalendars} order by c.created_at, c.id`, [owner])

export async function findCalendar(owner: string, id: string): Promise<StoredCalendar | undefined> {
  const [calendar] = await sql<StoredCalendar>(`${selectCalendars} and c.id = $2`, [owner, id])
  return calendar
}

/** Blocks other transactions of the owner that add calendars, until the end of this transaction. */
export const lockCalendars = (): Promise<unknown> =>
  sql(`select pg_advisory_xact_lock(hashtextextended('other calendars ' || app.owner()::text, 0))`)

export async function insertCalendar(
  owner: string,
  { id, name, host, sealed_address, next_read_at }: { id: string; name: string; host: string; sealed_address: string; next_read_at: Date },
): Promise<void> {
  await Promise.all([
    sql('insert into other_calendars (user_id, id, name) values ($1, $2, $3)', [owner, id, name]),
    sql('insert into other_calendar_sources (user_id, id, sealed_address, host, next_read_at) values ($1, $2, $3, $4, $5)', [
      owner,
      id,
      sealed_address,
      host,
      next_read_at,
    ]),
  ])
}

/** Deletes a calendar. Its address and its busy times stay for an undo, and are not used. Returns false if there is no such calendar. */
export async function deleteCalendar(owner: string, id: string): Promise<boolean> {
  return (await sql('delete from other_calendars where user_id = $1 and id = $2 returning id', [owner, id])).length > 0
}

/** Makes a calendar due. */
export async function setDue(owner: string, id: string, now: Date): Promise<void> {
  await sql('update other_calendar_sources set next_read_at = $3 where user_id = $1 and id = $2', [owner, id, now])
}

/** Reads the time zone of the owner, and the largest number of days on which an active booking link offers times. */
export async function readBookingWindow(owner: string): Promise<{ timezone: string; window_days: number }> {
  const [bookingWindow] = await sql<{ timezone: string; window_days: number }>(
    `select p.timezone, coalesce((select max(l.window_days) from booking_links l where l.user_id = $1 and l.is_active), 0) as window_days
     from profiles p where p.user_id = $1`,
    [owner],
  )
  return bookingWindow ?? { timezone: 'UTC', window_days: 0 }
}

/** Returns the ids of the given bookings that belong to other owners of this installation. */
export const findBookingsOfOtherOwners = async (ids: readonly string[]): Promise<string[]> =>
  (await sql<{ id: string }>('select id from app.bookings_of_others($1) id', [ids])).map(({ id }) => id)

/** What a download of a calendar has found: its version, and its busy times up to `until`. */
export type ReadResult = {
  etag: string | null
  last_modified: string | null
  timezone: string
  until: Date
  unreadable: number
  times: readonly { startMs: number; endMs: number }[]
}

/** Replaces the busy times of a calendar. Times that did not change keep their rows. */
export async function storeBusyTimes(owner: string, id: string, result: ReadResult, now: Date, nextReadAt: Date): Promise<void> {
  const starts = result.times.map(({ startMs }) => new Date(startMs))
  const ends = result.times.map(({ endMs }) => new Date(endMs))
  const newTimes = 'select * from unnest($3::timestamptz[], $4::timestamptz[]) as n (start_time, end_time)'
  await Promise.all([
    sql(
      `update other_calendar_sources set etag = $3, last_modified = $4, timezone = $5, read_until = $6, unreadable_events = $7,
         last_read_at = $8, next_read_at = $9, failures = 0, problem = null where user_id = $1 and id = $2`,
      [owner, id, result.etag, result.last_modified, result.timezone, result.until, result.unreadable, now, nextReadAt],
    ),
    sql(
      `delete from other_calendar_times t where t.user_id = $1 and t.calendar_id = $2
         and not exists (select from (${newTimes}) n where n.start_time = t.start_time and n.end_time = t.end_time)`,
      [owner, id, starts, ends],
    ),
    sql(
      `insert into other_calendar_times (user_id, calendar_id, start_time, end_time)
       select $1, $2, n.start_time, n.end_time from (${newTimes}) n where not exists (
         select from other_calendar_times t where t.user_id = $1 and t.calendar_id = $2 and t.start_time = n.start_time and t.end_time = n.end_time)`,
      [owner, id, starts, ends],
    ),
  ])
}

/** Stores that the calendar did not change. */
export async function storeUnchanged(owner: string, id: string, now: Date, nextReadAt: Date): Promise<void> {
  await sql(
    `update other_calendar_sources set last_read_at = $3, next_read_at = $4, failures = 0, problem = null where user_id = $1 and id = $2`,
    [owner, id, now, nextReadAt],
  )
}

/** Stores why the calendar could not be read. Its busy times stay. */
export async function storeProblem(owner: string, id: string, problem: string, nextReadAt: Date): Promise<void> {
  await sql('update other_calendar_sources set problem = $3, next_read_at = $4, failures = failures + 1 where user_id = $1 and id = $2', [
    owner,
    id,
    problem,
    nextReadAt,
  ])
}

/** Reads the busy times of the existing calendars that overlap a range, sorted by start. */
export const readBusyRows = (owner: string, from: Date, to: Date): Promise<Omit<OtherBusyTime, 'local_start' | 'local_end'>[]> =>
  sql(
    `select t.id, c.name, t.start_time, t.end_time
     from other_calendar_times t join other_calendars c on c.user_id = t.user_id and c.id = t.calendar_id
     where t.user_id = $1 and t.end_time > $2 and t.start_time < $3 order by t.start_time, t.id limit ${maxBusyRows}`,
    [owner, from, to],
  )
