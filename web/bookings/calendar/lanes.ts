import type { CalendarBooking } from '#contract/bookings.ts'
import type { OtherBusyTime } from '#contract/otherCalendars.ts'
import { toLocal, type LocalTime, type Zone } from '../zone.ts'
import { addDays } from '../days.ts'

/** A part of a day in minutes since midnight. Parts that overlap are shown side by side in `lanes` lanes. */
type DayPart = { from: number; to: number; lane: number; lanes: number }

/** The part of a booking on one day. */
export type Segment = DayPart & {
  booking: CalendarBooking
  /** The booking begins on this day. */
  isFirst: boolean
  /** The booking ends on this day, so that it can be lengthened here. */
  isLast: boolean
}

const dayMinutes = 24 * 60
/** A booking that is shorter than this is shown as high as one of this length. */
const minShownMinutes = 20

/** Returns the parts of the bookings on a day, in the order of their start. */
export function layOutDay(zone: Zone, day: string, bookings: readonly CalendarBooking[]): Segment[] {
  const segments = bookings
    .flatMap((booking) => {
      const part = clipToDay(zone, day, booking)
      if (!part) return []
      const { from, to, isFirst, isLast } = part
      return { booking, from, to: Math.max(to, from + minShownMinutes), lane: 0, lanes: 1, isFirst, isLast }
    })
    .toSorted((one, other) => one.from - other.from || other.to - one.to)
  return findGroups(segments).flatMap(assignLanes)
}

/** Returns the parts of the busy times on a day, in the order of their start. */
export function layOutBusyTimes(zone: Zone, day: string, busyTimes: readonly OtherBusyTime[]): (DayPart & { busyTime: OtherBusyTime })[] {
  const parts = busyTimes
    .flatMap((busyTime) => {
      const part = clipToDay(zone, day, busyTime)
      return part ? { busyTime, from: part.from, to: part.to, lane: 0, lanes: 1 } : []
    })
    .toSorted((one, other) => one.from - other.from || other.to - one.to)
  return findGroups(parts).flatMap(assignLanes)
}

/** Whether a booking with this end ends on the day. The midnight after the day counts as its end. */
const endsOnDay = (end: LocalTime, day: string): boolean => end.date === day || (end.minutes === 0 && end.date === addDays(day, 1))

/** Returns the part of a time range that is on a day, in minutes since midnight; undefined if there is none. */
function clipToDay(
  zone: Zone,
  day: string,
  { start_time, end_time }: { start_time: string; end_time: string },
): { from: number; to: number; isFirst: boolean; isLast: boolean } | undefined {
  const [start, end] = [toLocal(zone, Date.parse(start_time)), toLocal(zone, Date.parse(end_time))]
  const endsBefore = end.date < day || (end.date === day && end.minutes === 0)
  if (start.date > day || endsBefore) return undefined
  return {
    from: start.date < day ? 0 : start.minutes,
    to: end.date > day ? dayMinutes : end.minutes,
    isFirst: start.date === day,
    isLast: endsOnDay(end, day),
  }
}

/** Splits segments, which are sorted by their start, into the smallest groups such that no two segments of different groups overlap. */
function findGroups<Part extends DayPart>(segments: readonly Part[]): Part[][] {
  const groups: Part[][] = []
  let end = -1
  for (const segment of segments) {
    if (segment.from >= end) groups.push([])
    groups.at(-1)?.push(segment)
    end = Math.max(end, segment.to)
  }
  return groups
}

/** Gives each segment the first lane that is free at its start. */
function assignLanes<Part extends DayPart>(group: readonly Part[]): Part[] {
  const ends: number[] = []
  const placed = group.map((segment) => {
    const free = ends.findIndex((end) => end <= segment.from)
    const lane = free < 0 ? ends.length : free
    ends[lane] = segment.to
    return { ...segment, lane }
  })
  return placed.map((segment) => ({ ...segment, lanes: ends.length }))
}
