// Finds the times at which the owner of a calendar is busy, from its events with their repetitions and exceptions.
import ICAL from 'ical.js'
import { readBlocks, type Block } from './lines.ts'
import { prepareRules, skipToRange } from './repetitions.ts'
import { joinTimes, type BusyTime } from './times.ts'
import { createConverter, registerZones } from './zones.ts'

export type FileRequest = {
  bytes: Uint8Array
  /** The time zone of the owner, for whole days and times without a zone. */
  timezone: string
  /** The range in milliseconds. Only the busy times that overlap it are returned. */
  fromMs: number
  toMs: number
  /** The host of this server, which the UIDs of its bookings have. */
  hostname: string
}

/**
 * `times`: the start and the end of each busy time in milliseconds, sorted by start; they do not overlap. `bookings`: the times of events
 * that look like bookings of this server, sorted by start, with the ids of these bookings.
 */
export type FileResult = { times: Float64Array; bookings: Bookings; unreadable: number } | { problem: 'no_calendar' | 'too_many' }

type Bookings = { ids: string[]; times: Float64Array }

/** The maximum number of times of bookings. Those that begin later are left out. */
const maxBookings = 5000
/** The maximum number of repetitions in the range. */
const maxOccurrences = 100_000
/** A longer event is unreadable. The library adds the months of a duration one by one. */
const maxDurationMs = 100 * 366 * 24 * 60 * 60_000

const dayMs = 24 * 60 * 60_000

class TooMany extends Error {}

type FileRange = Pick<FileRequest, 'timezone' | 'fromMs' | 'toMs'>
type Range = FileRange & { add: (startMs: number, endMs: number) => void }

/** Reads a calendar file. Runs in a worker thread, because a file can be made to take very long. */
export function findBusyTimes({ bytes, timezone, fromMs, toMs, hostname }: FileRequest): FileResult {
  const blocks = readBlocks(new TextDecoder().decode(bytes))
  if (!blocks) return { problem: 'no_calendar' }
  const busy: BusyTime[] = []
  const bookings: { id: string; time: BusyTime }[] = []
  registerZones(blocks)
  const { events: allEvents, unreadable: unreadableBlocks } = parseEvents(blocks, { fromMs, toMs })
  let unreadable = unreadableBlocks
  try {
    for (const [uid, events] of groupByUid(allEvents)) {
      const id = findBookingId(uid, hostname)
      const add = (time: BusyTime): void => {
        if (busy.length + bookings.length >= maxOccurrences) throw new TooMany()
        if (id === undefined) busy.push(time)
        else bookings.push({ id, time })
      }
      unreadable += addEvents(events, { timezone, fromMs, toMs }, add)
    }
  } catch (error) {
    if (error instanceof TooMany) return { problem: 'too_many' }
    throw error
  }
  const firstBookings = bookings.toSorted((one, other) => one.time[0] - other.time[0]).slice(0, maxBookings)
  return {
    times: Float64Array.from(joinTimes(busy).flat()),
    bookings: { ids: firstBookings.map(({ id }) => id), times: Float64Array.from(firstBookings.flatMap(({ time }) => time)) },
    unreadable,
  }
}

/** Returns the id in a UID like `<id>@<host name of this server>`, which the events of its own bookings have. */
function findBookingId(uid: string, hostname: string): string | undefined {
  const { id, host } = /^(?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@(?<host>.*)$/i.exec(uid)?.groups ?? {}
  return host === hostname ? id?.toLowerCase() : undefined
}

/** Parses each event alone, so that one that is not valid does not hide the others. Leaves out those that are not in the range. */
function parseEvents(blocks: readonly Block[], range: Pick<Range, 'fromMs' | 'toMs'>): { events: ICAL.Component[]; unreadable: number } {
  const events: ICAL.Component[] = []
  let unreadable = 0
  for (const { name, lines } of blocks) {
    if (name !== 'VEVENT' || isOutside(lines, range)) continue
    try {
      events.push(new ICAL.Component(ICAL.parse(lines.join('\r\n'))))
    } catch {
      unreadable++
    }
  }
  return { events, unreadable }
}

/** Whether the dates of a single event show that it is not in the range. Large calendars mostly have such events. */
function isOutside(lines: readonly string[], { fromMs, toMs }: Pick<Range, 'fromMs' | 'toMs'>): boolean {
  if (lines.some((line) => /^(RRULE|RDATE|RECURRENCE-ID)[;:]/i.test(line))) return false
  const readMs = (name: string): number => {
    const [, year, month, day] =
      new RegExp(`^${name}[;:](?:.*[;:])?(\\d{4})(\\d\\d)(\\d\\d)(?:T\\d{6}Z?)?$`, 'i').exec(
        lines.find((line) => line.startsWith(name)) ?? '',
      ) ?? []
    return Date.parse(`${year}-${month}-${day}T00:00:00Z`)
  }
  // two days more, because a time zone may be up to 26 hours away
  return readMs('DTEND') < fromMs - 2 * dayMs || readMs('DTSTART') > toMs + 2 * dayMs
}

/** Groups events by their UID. Each event without a UID is a group of its own. */
function groupByUid(all: readonly ICAL.Component[]): Iterable<[string, ICAL.Component[]]> {
  const groups = new Map<string, ICAL.Component[]>()
  for (const [index, event] of all.entries()) {
    const uid = String(event.getFirstPropertyValue('uid') ?? `without UID ${index}`)
    const group = groups.get(uid)
    if (group) group.push(event)
    else groups.set(uid, [event])
  }
  return groups
}

/**
 * Adds the busy times of events with one UID: an event with repetitions and its exceptions. Returns the number of unreadable events, of
 * which nothing is added.
 */
function addEvents(events: readonly ICAL.Component[], range: FileRange, add: (time: BusyTime) => void): number {
  const exceptions = events.filter((event) => event.hasProperty('recurrence-id'))
  let unreadable = 0
  for (const event of events) {
    const isException = event.hasProperty('recurrence-id')
    // an event that is not busy may have an exception that makes its later repetitions busy
    if (!isBusy(event) && (isException || exceptions.length === 0)) continue
    try {
      for (const time of readOccurrences(event, isException ? [] : exceptions, range)) add(time)
    } catch (error) {
      if (error instanceof TooMany) throw error
      unreadable++
    }
  }
  return unreadable
}

/** Returns the busy times of an event in the range. Throws if it is unreadable. */
function readOccurrences(event: ICAL.Component, exceptions: readonly ICAL.Component[], range: FileRange): BusyTime[] {
  const { fromMs, toMs } = range
  const times: BusyTime[] = []
  const add = (startMs: number, endMs: number): void => {
    if (!(endMs > startMs && endMs > fromMs && startMs < toMs)) return
    if (times.length >= maxOccurrences) throw new Error('The event has too many repetitions')
    times.push([Math.max(startMs, fromMs), Math.min(endMs, toMs)])
  }
  addOccurrences(event, exceptions, { ...range, add })
  return times
}

function isBusy(event: ICAL.Component): boolean {
  const read = (name: string): string => String(event.getFirstPropertyValue(name) ?? '').toUpperCase()
  return read('status') !== 'CANCELLED' && read('transp') !== 'TRANSPARENT' && read('x-microsoft-cdo-busystatus') !== 'FREE'
}

/** Adds an event, or all its repetitions except those that an exception replaces. */
function addOccurrences(component: ICAL.Component, exceptions: readonly ICAL.Component[], range: Range): void {
  const times = readTimes(component, range.timezone)
  if (!times) return
  const { event, startMs, endMs, toMs } = times
  if (!component.hasProperty('rrule') && !component.hasProperty('rdate')) {
    if (isBusy(component)) range.add(startMs, endMs)
    return
  }
  const changes = readChanges(component, exceptions, range.timezone)
  const followingChanges = changes.following.toSorted((one, other) => one.fromMs - other.fromMs)
  // `EXDATE` is checked here, because the iterator overlooks dates after one that is no repetition
  component.removeAllProperties('exdate')
  const isBusyEvent = isBusy(component)
  const add = (start: ICAL.Time, atMs: number, ownEndMs?: number): void => {
    if (changes.replaced.has(atMs) || changes.excludedDays.has(start.toString().slice(0, 10))) return
    const following = followingChanges.findLast(({ fromMs }) => fromMs <= atMs)
    if (following) {
      if (following.isBusy) range.add(atMs + following.shiftMs, atMs + following.shiftMs + following.lengthMs)
    } else if (isBusyEvent) range.add(atMs, ownEndMs ?? endOf(start, times))
  }
  for (const period of takePeriods(component, range.timezone)) add(period.start, period.startMs, period.endMs)
  prepareRules(component, range.timezone)
  add(event.startDate, startMs) // the iterator leaves out a start that its rules do not repeat
  const iterator = event.iterator(skipToRange(event, range.fromMs - (endMs - startMs)))
  for (let next = iterator.next(); next; next = iterator.next()) {
    const nextMs = toMs(next)
    if (nextMs > range.toMs) return
    if (nextMs !== startMs) add(next, nextMs) // the start was added above
  }
}

type EventTimes = { event: ICAL.Event; startMs: number; endMs: number; toMs: (time: ICAL.Time) => number }

function readTimes(component: ICAL.Component, timezone: string): EventTimes | undefined {
  const event = new ICAL.Event(component, { exceptions: [] })
  const start = component.getFirstProperty('dtstart')
  if (!start) return undefined
  const toMs = createConverter(start, timezone)
  const duration = component.getFirstPropertyValue('duration')
  if (duration instanceof ICAL.Duration && Math.abs(duration.toSeconds()) * 1000 > maxDurationMs) throw new Error('The event is too long')
  const end = component.getFirstProperty('dtend')
  const startMs = toMs(event.startDate)
  const endMs = end ? createConverter(end, timezone)(event.endDate) : toMs(event.endDate)
  if (!Number.isFinite(startMs) || !Number.isFinite(endMs)) throw new Error('The event has no valid times')
  if (endMs - startMs > maxDurationMs) throw new Error('The event is too long')
  return { event, startMs, endMs, toMs }
}

type Period = { start: ICAL.Time; startMs: number; endMs: number }

/** Removes the additional dates that have an end of their own from an event, because the iterator cannot read them, and returns them. */
function takePeriods(component: ICAL.Component, timezone: string): Period[] {
  const periods: Period[] = []
  for (const property of component.getAllProperties('rdate')) {
    if (property.type !== 'period') continue
    const toMs = createConverter(property, timezone)
    for (const value of property.getValues()) {
      if (!(value instanceof ICAL.Period)) throw new Error('The event has no valid times')
      const startMs = toMs(value.start)
      const endMs = value.duration ? startMs + value.duration.toSeconds() * 1000 : toMs(value.end)
      if (!Number.isFinite(startMs) || !(endMs - startMs <= maxDurationMs)) throw new Error('The event has no valid times')
      periods.push({ start: value.start, startMs, endMs })
    }
    component.removeProperty(property)
  }
  return periods
}

/** Returns the end of a repetition. If the event has whole days, each repetition has as many days, also across a change of the clocks. */
function endOf(start: ICAL.Time, { event, startMs, endMs, toMs }: EventTimes): number {
  if (!start.isDate) return toMs(start) + (endMs - startMs)
  const end = start.clone()
  end.addDuration(event.duration)
  return toMs(end)
}

type Changes = {
  /** The starts of repetitions that do not take place or are replaced. */
  replaced: ReadonlySet<number>
  /** The days without repetitions. */
  excludedDays: ReadonlySet<string>
  /** Changes of a repetition and all that follow it. */
  following: readonly { fromMs: number; shiftMs: number; lengthMs: number; isBusy: boolean }[]
}

function readChanges(component: ICAL.Component, exceptions: readonly ICAL.Component[], timezone: string): Changes {
  const replaced = new Set<number>()
  const excludedDays = new Set<string>()
  const following: Changes['following'][number][] = []
  const isWholeDay = component.getFirstProperty('dtstart')?.type === 'date'
  for (const property of component.getAllProperties('exdate')) {
    const toMs = createConverter(property, timezone)
    for (const value of property.getValues()) {
      if (!(value instanceof ICAL.Time)) continue
      if (value.isDate && !isWholeDay) excludedDays.add(value.toString().slice(0, 10))
      else replaced.add(toMs(value))
    }
  }
  for (const exception of exceptions) {
    const property = exception.getFirstProperty('recurrence-id')
    const value = property?.getFirstValue()
    if (!property || !(value instanceof ICAL.Time)) continue
    const fromMs = createConverter(property, timezone)(value)
    const times = readTimes(exception, timezone)
    if (property.getFirstParameter('range')?.toUpperCase() === 'THISANDFUTURE' && times)
      following.push({ fromMs, shiftMs: times.startMs - fromMs, lengthMs: times.endMs - times.startMs, isBusy: isBusy(exception) })
    else replaced.add(fromMs)
  }
  return { replaced, excludedDays, following }
}
