import { computeSlots } from '#server/booking-links/booking-links.ts'
import { toLocalTime } from '#server/platform/time/local-time.ts'
import { readBusyTimes, type PublicLink } from './links.store.ts'

type Request = { visitorZone: string; now: Date; exceptBooking?: string }

/** Whether nothing else takes a time that the link offers. Reads the busy times around it, in the open transaction. */
export async function isFree(link: PublicLink, start: number, { visitorZone, now, exceptBooking }: Request): Promise<boolean> {
  const { owner_timezone: ownerZone } = link
  const busy = await readBusyTimes({ link, fromMs: start, toMs: start + link.duration_minutes * 60_000, exceptBooking })
  const { date } = toLocalTime(visitorZone, start)
  const [day] = computeSlots({ rules: link, ownerZone, visitorZone, from: date, to: date, now, busy })
  return day?.starts.includes(start) ?? false
}
