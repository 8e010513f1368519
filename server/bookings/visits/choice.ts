// Reads the days and times from which visitors choose on the public pages.
import * as z from 'zod/mini'
import { Day } from '#contract/lists.ts'
import type { PageProblem, TimeChoice } from '#contract/pages.ts'
import { maxOfferedDays, type TimesResponse } from '#contract/publicBookings.ts'
import type { SentForm } from '#server/platform/http/public-pages.ts'
import { toFirstInstant } from '#server/platform/time/local-time.ts'
import { isTimezone, timezoneNames } from '#server/platform/time/zones.ts'
import type { PublicLink } from './links.store.ts'
import { formatTimezone, readOfferedOrOther } from './offered.ts'

/**
 * What the visitor has chosen so far: `timezone`, `date` and `start_time`, which may be missing or wrong. If it has `timezones`, the read
 * choice has the names of all time zones.
 */
type Chosen = Readonly<Record<string, string>>

type Request = { link: PublicLink; now: Date; chosen: Chosen; exceptBooking?: string }

/** Reads the free times of the chosen day, or of the first day that has some. Call it inside `database.read`. */
export async function readChoice({ link, now, chosen, exceptBooking }: Request): Promise<TimeChoice> {
  const { timezone: chosenZone = '', date: chosenDate = '', start_time = '', timezones } = chosen
  const timezone = isTimezone(chosenZone) ? chosenZone : link.owner_timezone
  const from = z.safeParse(Day, chosenDate).data
  const offered = await readOfferedOrOther({ link, timezone, now, from, days: maxOfferedDays, maxDays: 2, exceptBooking })
  const date = pickDate(offered, from)
  const day = offered.days.find((each) => each.date === date)
  const other = offered.days.find((each) => each.date > date) ?? offered.other_day
  return {
    timezone,
    timezone_label: day?.timezone_label ?? formatTimezone(timezone, toFirstInstant(timezone, date, 12 * 60)),
    timezones: timezones === undefined ? [] : timezoneNames,
    today: offered.today,
    last_day: offered.last_day,
    date,
    times: day?.times ?? [],
    other_day: day || !other ? null : { date: other.date, label: other.label },
    is_full: offered.is_full,
    start_time,
  }
}

/** Returns the chosen day, if it is from today to the last day that can be booked, or else the first day with times. */
function pickDate({ days, today, last_day: lastDay }: TimesResponse, chosen: string | undefined): string {
  if (chosen !== undefined && chosen >= today && chosen <= lastDay) return chosen
  return days[0]?.date ?? today
}

/** Returns the problem of a form that was sent without script, as the page shows it; null without a problem. */
export function toPageProblem(sent: SentForm | undefined): PageProblem | null {
  if (!sent?.problem) return null
  const { code, detail, fields = {}, nearest = [] } = sent.problem
  return { message: code === 'invalid' ? 'Please check what is marked below.' : detail, fields, nearest }
}
