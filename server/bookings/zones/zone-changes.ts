import { maxZoneChanges, type ZoneChange } from '#contract/zoneChanges.ts'
import { sql } from '#server/platform/database/database.ts'
import { formatDate, toLocalTime } from '#server/platform/time/local-time.ts'
import { isTimezone } from '#server/platform/time/zones.ts'

type Row = Omit<ZoneChange, 'before' | 'after'> & { offset_before: number }

/** Reads the future bookings whose clock time has changed because the rules of a time zone have changed, sorted by start. */
export async function readZoneChanges(owner: string, now: Date): Promise<{ rows: ZoneChange[]; count: number }> {
  const rows = await sql<Row>(
    `select b.id as booking_id, b.title, b.attendee_name, b.start_time, c.timezone, c.offset_before
     from booking_zone_changes c join bookings b on b.user_id = c.user_id and b.id = c.booking_id and b.start_time = c.start_time
     where c.user_id = $1 and b.status = 'confirmed' and b.start_time > $2 order by b.start_time, b.id, c.timezone`,
    [owner, now],
  )
  const changes = rows.flatMap((row) => describe(row))
  return { rows: changes.slice(0, maxZoneChanges), count: changes.length }
}

/** Returns the change with both clock times; an empty list if the rules have changed back since. */
function describe({ offset_before: offsetBefore, ...row }: Row): ZoneChange[] {
  if (!isTimezone(row.timezone)) return []
  const start = Date.parse(row.start_time)
  const after = toLocalTime(row.timezone, start)
  if (after.offsetMinutes === offsetBefore) return []
  const before = toLocalTime('UTC', start + offsetBefore * 60_000)
  const format = ({ date, time }: { date: string; time: string }): string => `${formatDate(date)}, ${time}`
  return [{ ...row, before: format(before), after: format(after) }]
}

export const deleteZoneChanges = (owner: string): Promise<unknown> => sql('delete from booking_zone_changes where user_id = $1', [owner])
