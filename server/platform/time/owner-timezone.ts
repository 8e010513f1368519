// The time zone of an owner's profile. PostgreSQL may not know its name, or may have older rules of it, so no statement uses it: the server
// computes dates and instants and sends these.
import { sql } from '#server/platform/database/database.ts'
import { toLocalTime } from './local-time.ts'
import { isTimezone } from './zones.ts'

/** Reads the time zone of the owner's profile; UTC if there is no such zone. */
export async function readTimezone(owner: string): Promise<string> {
  const [profile] = await sql<{ timezone: string }>('select timezone from profiles where user_id = $1', [owner])
  return profile && isTimezone(profile.timezone) ? profile.timezone : 'UTC'
}

/** Returns the date at the time `now` in the owner's time zone. */
export const readToday = async (owner: string, now: Date): Promise<string> => toLocalTime(await readTimezone(owner), now.getTime()).date
