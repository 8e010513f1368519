import { maxCalendarRows, type BookingRow } from '#contract/bookings.ts'
import { sql } from '#server/platform/database/database.ts'
import { bookings } from './kind.ts'

/** Reads the bookings that overlap the range, by start, and whether there are more than a response may have. */
export async function readCalendar(
  owner: string,
  { from, to }: { from: string; to: string },
): Promise<{ rows: BookingRow[]; more: boolean }> {
  // no booking is longer than 168 hours, so that the index finds those that began before the range
  const rows = await sql<BookingRow>(
    `select ${bookings.rowColumns} from bookings c
     where user_id = $1 and start_time > $2::timestamptz - interval '168 hours' and start_time < $3 and end_time > $2
     order by start_time, id limit $4`,
    [owner, from, to, maxCalendarRows + 1],
  )
  return { rows: rows.slice(0, maxCalendarRows), more: rows.length > maxCalendarRows }
}
