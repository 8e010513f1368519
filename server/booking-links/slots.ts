// Computes the times that a booking link offers. The functions are pure: they get the rules, the busy times and the current time.
import type { BookingLink } from '#contract/bookingLinks.ts'
import { addDays, toFirstInstant, toInstants, toLocalTime, weekdayOf } from '#server/platform/time/local-time.ts'

/** The rules of a link that decide which times it offers. */
export type LinkRules = Pick<
  BookingLink,
  | 'duration_minutes'
  | 'step_minutes'
  | 'notice_minutes'
  | 'buffer_before_minutes'
  | 'buffer_after_minutes'
  | 'window_days'
  | 'max_per_day'
  | 'availability'
>

/** A time in which nothing else can be booked, in milliseconds. `dayOfLink`: the day of a booking by this link, in the owner's zone. */
export type BusyTime = { startMs: number; endMs: number; dayOfLink?: string | undefined }

export type SlotRequest = {
  rules: LinkRules
  /** The time zone of the owner's profile, in which the hours of the link are. */
  ownerZone: string
  visitorZone: string
  /** The first and the last day, in the visitor's zone. */
  from: string
  to: string
  now: Date
  busy: readonly BusyTime[]
  /** The search stops after this number of days with offered times. */
  maxDays?: number | undefined
  /** The search stops after the day that reaches this number of times. */
  maxTimes?: number | undefined
}

/** The starts of the offered times of one day of the visitor, in milliseconds. */
export type DayOfSlots = { date: string; starts: number[] }

const minuteMs = 60_000
/** The starts of the default hours, in minutes of the day. */
const defaultStarts = Array.from({ length: 16 }, (_each, index) => 9 * 60 + index * 30)

/** Returns the days from `from` to `to` that have offered times, sorted by day and start. */
export function computeSlots(request: SlotRequest): DayOfSlots[] {
  const { rules, visitorZone, from, to } = request
  const zone = zoneOfHours(request)
  const [first, last] = findOfferedDays(request)
  const firstStart = firstStartOf(request)
  const isFree = createBusyCheck(request)
  const days = new Map<string, number[]>()
  // a day of the visitor may have parts of two days before or after in the zone of the hours, because two zones can be 25 hours apart
  for (let day = max(addDays(from, -2), first); day <= min(addDays(to, 2), last); day = addDays(day, 1)) {
    for (const start of listStarts(rules, zone, day)) {
      if (start < firstStart || !isFree(start)) continue
      const { date } = toLocalTime(visitorZone, start)
      if (date < from || date > to) continue
      const starts = days.get(date)
      if (starts) starts.push(start)
      else days.set(date, [start])
    }
    if (days.size > limitDays(days, request).length) break // a day beyond the limits has begun, so the days before it are complete
  }
  return limitDays(days, request)
    .map(([date, starts]) => ({ date, starts: starts.toSorted((a, b) => a - b) }))
    .toSorted((a, b) => (a.date < b.date ? -1 : 1))
}

/** Returns the first days, up to `maxDays` and up to the one that reaches `maxTimes`. */
function limitDays(
  days: ReadonlyMap<string, number[]>,
  { maxDays = Infinity, maxTimes = Infinity }: Pick<SlotRequest, 'maxDays' | 'maxTimes'>,
): [date: string, starts: number[]][] {
  let count = 0
  return [...days].slice(0, maxDays).filter(([, starts]) => {
    const isWithinLimit = count < maxTimes
    count += starts.length
    return isWithinLimit
  })
}

/** Whether the link offers this start to the visitor if nothing is booked. */
export function isOfferedWhenFree(request: Omit<SlotRequest, 'from' | 'to' | 'busy'>, start: number): boolean {
  const zone = zoneOfHours(request)
  const day = toLocalTime(zone, start).date
  const [first, last] = findOfferedDays(request)
  if (day < first || day > last || start < firstStartOf(request)) return false
  for (const offered of listStarts(request.rules, zone, day)) if (offered === start) return true
  return false
}

/** The earliest start that the notice of the link allows. */
const firstStartOf = ({ rules, now }: Pick<SlotRequest, 'rules' | 'now'>): number => now.getTime() + rules.notice_minutes * minuteMs

/** Returns the `count` offered starts that are nearest to `start`, in ascending order. */
export function findNearest(days: readonly DayOfSlots[], start: number, count: number): number[] {
  const starts = days.flatMap((day) => day.starts)
  const byDistance = starts.toSorted((a, b) => Math.abs(a - start) - Math.abs(b - start) || a - b)
  return byDistance.slice(0, count).toSorted((a, b) => a - b)
}

/** Returns the time zone of the hours: the owner's for the hours of the link, the visitor's for the default hours. */
const zoneOfHours = ({ rules, ownerZone, visitorZone }: Pick<SlotRequest, 'rules' | 'ownerZone' | 'visitorZone'>): string =>
  rules.availability ? ownerZone : visitorZone

/** Returns the first and the last day on which the link offers times, in the zone of the hours. */
function findOfferedDays(request: Omit<SlotRequest, 'from' | 'to' | 'busy'>): [string, string] {
  const today = toLocalTime(zoneOfHours(request), request.now.getTime()).date
  return [today, addDays(today, request.rules.window_days)]
}

/** Returns the starts of a day, each instant once. A time that the clocks show twice is offered once, the first time. */
function listStarts({ availability, duration_minutes, step_minutes }: LinkRules, zone: string, day: string): Iterable<number> {
  if (!availability) return firstInstants(zone, day, defaultStarts)
  const starts = new Set<number>()
  for (const { begin, end } of joinHours(findHours(availability, day))) {
    const lastStart = toFirstInstant(zone, day, end) - duration_minutes * minuteMs
    const minutes = Array.from({ length: Math.ceil((end - begin) / step_minutes) }, (_each, index) => begin + index * step_minutes)
    for (const start of firstInstants(zone, day, minutes)) if (start <= lastStart) starts.add(start)
  }
  return starts
}

const firstInstants = (zone: string, day: string, minutes: readonly number[]): number[] =>
  minutes.flatMap((minute) => toInstants(zone, day, minute).slice(0, 1))

function findHours({ weekly, days_off, dates }: NonNullable<LinkRules['availability']>, day: string): { from: string; to: string }[] {
  const ofDate = dates.filter(({ date }) => date === day)
  if (ofDate.length > 0) return ofDate.flatMap(({ hours }) => hours)
  if (days_off.some(({ from, to }) => from <= day && day <= to)) return []
  const weekday = weekdayOf(day)
  return weekly.filter((each) => each.weekday === weekday)
}

/**
 * Joins hours that overlap, in minutes of the day. Otherwise hours that overlap many times would offer each minute, and the response for
 * visitors would become very large.
 */
function joinHours(hours: readonly { from: string; to: string }[]): { begin: number; end: number }[] {
  const joined: { begin: number; end: number }[] = []
  for (const { from, to } of hours.toSorted((one, other) => (one.from < other.from ? -1 : 1))) {
    const [begin, end] = [toMinutes(from), toMinutes(to)]
    const last = joined.at(-1)
    if (last && begin < last.end) last.end = Math.max(last.end, end)
    else joined.push({ begin, end })
  }
  return joined
}

const toMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/** Returns a function that says whether the time from a start is free, with the buffers and the limit per day of the link. */
function createBusyCheck({ rules, ownerZone, busy }: SlotRequest): (start: number) => boolean {
  const sorted = busy.toSorted((a, b) => a.startMs - b.startMs)
  // the latest end of all busy times up to each position, so that one comparison finds whether any of them overlaps
  let latest = -Infinity
  const latestEnds = sorted.map(({ endMs }) => (latest = Math.max(latest, endMs)))
  const countOfDay = new Map<string, number>()
  for (const { dayOfLink } of busy) if (dayOfLink !== undefined) countOfDay.set(dayOfLink, (countOfDay.get(dayOfLink) ?? 0) + 1)
  const { max_per_day: maxPerDay, buffer_before_minutes: before, buffer_after_minutes: after, duration_minutes: duration } = rules
  return (start) => {
    const endMs = start + (duration + after) * minuteMs
    const position = countBefore(sorted, endMs)
    if (position > 0 && (latestEnds[position - 1] ?? 0) > start - before * minuteMs) return false
    return maxPerDay === null || (countOfDay.get(toLocalTime(ownerZone, start).date) ?? 0) < maxPerDay
  }
}

/** Returns the number of busy times that begin before this time. */
function countBefore(sorted: readonly BusyTime[], timeMs: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.startMs ?? Infinity) < timeMs) low = middle + 1
    else high = middle
  }
  return low
}

const min = (one: string, other: string): string => (one < other ? one : other)
const max = (one: string, other: string): string => (one > other ? one : other)
