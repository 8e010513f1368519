import { computeSlots } from '#server/booking-links/booking-links.ts'
import { toLocalTime } from '#server/platform/time/local-time.ts'
import { readBusyTimes, type PublicLink } from './links.store.ts'
import { endOf } from './offered.ts'

type Request = { visitorZone: string; now: Date; exceptBooking?: string }

/** Whether a time that the link offers is free. Reads the busy times around it, in the open transaction. */
export async function isFree(link: PublicLink, start: number, { visitorZone, now, exceptBooking }: Request): Promise<boolean> {
  const busy = await readBusyTimes({ link, fromMs: start, toMs: endOf(link, start), exceptBooking, isOneTime: true })
  const { date } = toLocalTime(visitorZone, start)
  const [day] = computeSlots({ rules: link, ownerZone: link.owner_timezone, visitorZone, from: date, to: date, now, busy })
  return day?.starts.includes(start) ?? false
}
