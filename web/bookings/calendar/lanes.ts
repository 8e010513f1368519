import type { CalendarBooking } from '#contract/bookings.ts'
import { toLocal, type Zone } from '../zone.ts'

/** The part of a booking on one day, in minutes since midnight. Bookings at the same time are side by side in `lanes` lanes. */
export type Segment = {
  booking: CalendarBooking
  from: number
  to: number
  lane: number
  lanes: number
  /** The booking ends on this day, so that it can be lengthened here. */
  isLast: boolean
}

const dayMinutes = 24 * 60
/** A booking has the height of at least this length. */
const minShownMinutes = 20

/** Returns the parts of the bookings on a day, in the order of their start. */
export function layOutDay(zone: Zone, day: string, bookings: readonly CalendarBooking[]): Segment[] {
  const segments = bookings
    .flatMap((booking) => {
      const part = clipToDay(zone, day, booking)
      if (!part) return []
      const { from, to, endDate } = part
      return { booking, from, to: Math.max(to, from + minShownMinutes), lane: 0, lanes: 1, isLast: endDate === day || to === dayMinutes }
    })
    .toSorted((one, other) => one.from - other.from || other.to - one.to)
  return findGroups(segments).flatMap(assignLanes)
}

/** Returns the part of a time that is on a day, in minutes since midnight; undefined if there is none. */
export function clipToDay(
  zone: Zone,
  day: string,
  { start_time, end_time }: { start_time: string; end_time: string },
): { from: number; to: number; endDate: string } | undefined {
  const [start, end] = [toLocal(zone, Date.parse(start_time)), toLocal(zone, Date.parse(end_time))]
  const isAfter = end.date < day || (end.date === day && end.minutes === 0)
  if (start.date > day || isAfter) return undefined
  return { from: start.date < day ? 0 : start.minutes, to: end.date > day ? dayMinutes : end.minutes, endDate: end.date }
}

/** Splits segments into groups that do not overlap each other. */
function findGroups(segments: readonly Segment[]): Segment[][] {
  const groups: Segment[][] = []
  let end = -1
  for (const segment of segments) {
    if (segment.from >= end) groups.push([])
    groups.at(-1)?.push(segment)
    end = Math.max(end, segment.to)
  }
  return groups
}

/** Gives each segment the first lane that is free at its start. */
function assignLanes(group: readonly Segment[]): Segment[] {
  const ends: number[] = []
  const placed = group.map((segment) => {
    const free = ends.findIndex((end) => end <= segment.from)
    const lane = free < 0 ? ends.length : free
    ends[lane] = segment.to
    return { ...segment, lane }
  })
  return placed.map((segment) => ({ ...segment, lanes: ends.length }))
}
