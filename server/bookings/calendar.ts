import { maxCalendarRows, type BookingRow, type CalendarBooking, type ZoneOffsets } from '#contract/bookings.ts'
import { sql } from '#server/platform/database/database.ts'
import { addDays, formatZone, listOffsets, toFirstInstant, toLocalTime } from '#server/platform/time/local-time.ts'
import { readTimezone } from '#server/platform/time/owner-timezone.ts'
import { isTimezone } from '#server/platform/time/zones.ts'
import { bookings } from './kind.ts'

/**
 * Reads the bookings that overlap the days from `from` until before `to` in the owner's time zone, sorted by start. Also returns whether
 * there are more bookings than a response may have.
 */
export async function readCalendar(
  owner: string,
  { from, to }: { from: string; to: string },
): Promise<{ rows: CalendarBooking[]; more: boolean }> {
  const timezone = await readTimezone(owner)
  const toInstant = (day: string): string => new Date(toFirstInstant(timezone, day, 0)).toISOString()
  // a booking lasts at most 168 hours; with this lower limit the index also finds the bookings that began before the range
  const rows = await sql<BookingRow>(
    `select ${bookings.rowColumns} from bookings c
     where user_id = $1 and start_time > $2::timestamptz - interval '168 hours' and start_time < $3 and end_time > $2
     order by start_time, id limit $4`,
    [owner, toInstant(from), toInstant(to), maxCalendarRows + 1],
  )
  return { rows: rows.slice(0, maxCalendarRows).map((row) => addLocalTimes(row, timezone)), more: rows.length > maxCalendarRows }
}

const maxUpcoming = 5

type Upcoming = { id: string; title: string; name: string; color: string; start_time: string }

/** Reads the next confirmed bookings of an owner that have not ended, and counts all of them and those that start before midnight. */
export async function readUpcoming(owner: string, now: Date) {
  // no booking is longer than 168 hours, and the index has only the start
  const condition = `user_id = $1 and status = 'confirmed' and end_time > $2 and start_time > $2::timestamptz - interval '168 hours'`
  const values = [owner, now.toISOString()]
  const contactName = `(select trim(n.first_name || ' ' || n.last_name) from crm_contacts n where n.user_id = c.user_id and n.id = c.contact_id)`
  const timezone = await readTimezone(owner)
  const tomorrow = toFirstInstant(timezone, addDays(toLocalTime(timezone, now.getTime()).date, 1), 0)
  const [rows, [counts]] = await Promise.all([
    sql<Upcoming>(
      `select id, title, start_time, coalesce(nullif(attendee_name, ''), ${contactName}, '') as name,
         coalesce((select l.color from booking_links l where l.user_id = c.user_id and l.id = c.booking_link_id), '') as color
       from bookings c where ${condition} order by start_time, id limit ${maxUpcoming}`,
      values,
    ),
    sql<{ today: number; upcoming: number }>(
      `select count(*) as upcoming, count(*) filter (where start_time < $3) as today from bookings c where ${condition}`,
      [...values, new Date(tomorrow)],
    ),
  ])
  const rowsWithLocalStart = rows.map(({ start_time, ...row }) => ({ ...row, local_start: formatLocal(timezone, Date.parse(start_time)) }))
  return { rows: rowsWithLocalStart, today: counts?.today ?? 0, upcoming: counts?.upcoming ?? 0 }
}

/** Reads the offsets of the owner's time zone from 2000 to 2100. */
export async function readZone(owner: string): Promise<ZoneOffsets> {
  const timezone = await readTimezone(owner)
  const offsets = listOffsets(timezone)
  const first = offsets.findLastIndex(({ from }) => from <= firstInstant)
  const last = offsets.findLastIndex(({ from }) => from <= lastInstant)
  return { timezone, offsets: offsets.slice(first, last + 1).map(({ from, minutes }) => ({ from: new Date(from).toISOString(), minutes })) }
}

const firstInstant = Date.UTC(2000, 0)
const lastInstant = Date.UTC(2100, 0)

/**
 * Adds the times in the owner's zone (`local_start`, `local_end`), and in the zone of the booking (`shown_start`, `shown_end`,
 * `shown_zone`).
 */
function addLocalTimes(row: BookingRow, timezone: string): CalendarBooking {
  const [start, end] = [Date.parse(row.start_time), Date.parse(row.end_time)]
  const shownZone = isTimezone(row.timezone) ? row.timezone : 'UTC'
  return {
    ...row,
    local_start: formatLocal(timezone, start),
    local_end: formatLocal(timezone, end),
    shown_start: toLocalTime(shownZone, start).time,
    shown_end: toLocalTime(shownZone, end).time,
    shown_zone: formatZone(shownZone, start),
  }
}

function formatLocal(timezone: string, instant: number): string {
  const { date, time } = toLocalTime(timezone, instant)
  return `${date}T${time}`
}
