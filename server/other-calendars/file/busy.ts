// Finds the times at which the owner of a calendar is busy, from its events with their repetitions and exceptions.
import ICAL from 'ical.js'
import { toFirstInstant } from '#server/platform/time/local-time.ts'
import { isTimezone } from '#server/platform/time/zones.ts'
import { readBlocks, type Block } from './lines.ts'

export type FileRequest = {
  bytes: Uint8Array
  /** The time zone of the owner, for whole days and times without a zone. */
  timezone: string
  /** Busy times are returned that overlap this range, in milliseconds. */
  fromMs: number
  toMs: number
  /** The host of this server. The owner's bookings in the other calendar are left out, because they may have been moved since. */
  hostname: string
  /** The ids of bookings of this server that belong to other owners. At their times, the owner of the calendar is busy. */
  bookingsOfOthers: ReadonlySet<string>
}

/** `times`: the start and the end of each busy time in milliseconds, sorted by start; they do not overlap. */
export type FileResult = { times: Float64Array; unreadable: number } | { problem: 'no_calendar' | 'too_many' }

/** The maximum number of busy times. Those that begin later are left out. */
const maxTimes = 5000
/** The maximum number of repetitions in the range. */
const maxOccurrences = 100_000

const dayMs = 24 * 60 * 60_000

class TooMany extends Error {}

type Range = Pick<FileRequest, 'timezone' | 'fromMs' | 'toMs'> & { add: (startMs: number, endMs: number) => void }

/** Reads a calendar file. Runs in a worker thread, because a file can be made to take very long. */
export function findBusyTimes({ bytes, timezone, fromMs, toMs, hostname, bookingsOfOthers }: FileRequest): FileResult {
  const blocks = readBlocks(new TextDecoder().decode(bytes))
  if (!blocks) return { problem: 'no_calendar' }
  const busy: [number, number][] = []
  const add = (startMs: number, endMs: number): void => {
    if (!(endMs > startMs && endMs > fromMs && startMs < toMs)) return
    if (busy.length >= maxOccurrences) throw new TooMany()
    busy.push([Math.max(startMs, fromMs), Math.min(endMs, toMs)])
  }
  registerZones(blocks)
  const { events: allEvents, unreadable: unreadableBlocks } = parseEvents(blocks, { fromMs, toMs })
  let unreadable = unreadableBlocks
  const isOwn = (uid: string): boolean => {
    const { id, host } = /^(?<id>[0-9a-f-]{36})@(?<host>.*)$/i.exec(uid)?.groups ?? {}
    return id !== undefined && host === hostname && !bookingsOfOthers.has(id.toLowerCase())
  }
  try {
    for (const [uid, events] of groupByUid(allEvents)) {
      if (!isOwn(uid)) unreadable += addEvents(events, { timezone, fromMs, toMs, add })
    }
  } catch (error) {
    if (error instanceof TooMany) return { problem: 'too_many' }
    throw error
  }
  return { times: Float64Array.from(merge(busy).slice(0, maxTimes).flat()), unreadable }
}

/** Makes the time zones of the file known to the library, and forgets those of earlier files. */
function registerZones(blocks: readonly Block[]): void {
  ICAL.TimezoneService.reset()
  for (const { name, lines } of blocks) {
    if (name !== 'VTIMEZONE') continue
    try {
      ICAL.TimezoneService.register(new ICAL.Component(ICAL.parse(lines.join('\r\n'))))
    } catch {
      // times in this zone are then read with its name or as those of the owner
    }
  }
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

/** Adds the busy times of events with one UID: an event with repetitions and its exceptions. Returns the number of unreadable events. */
function addEvents(events: readonly ICAL.Component[], range: Range): number {
  const exceptions = events.filter((event) => event.hasProperty('recurrence-id'))
  let unreadable = 0
  for (const event of events) {
    try {
      if (isBusy(event) || (!event.hasProperty('recurrence-id') && exceptions.length > 0))
        addOccurrences(event, event.hasProperty('recurrence-id') ? [] : exceptions, range)
    } catch (error) {
      if (error instanceof TooMany) throw error
      unreadable++
    }
  }
  return unreadable
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
  const rangeExceptions = changes.following.toSorted((one, other) => one.fromMs - other.fromMs)
  // `EXDATE` is checked here, because the iterator overlooks dates after one that is no repetition
  component.removeAllProperties('exdate')
  const isBusyEvent = isBusy(component)
  const add = (start: ICAL.Time, atMs: number): void => {
    if (changes.replaced.has(atMs) || changes.excludedDays.has(start.toString().slice(0, 10))) return
    const following = rangeExceptions.findLast(({ fromMs }) => fromMs <= atMs)
    if (following) {
      if (following.isBusy) range.add(atMs + following.shiftMs, atMs + following.shiftMs + following.lengthMs)
    } else if (isBusyEvent) range.add(atMs, endOf(start, times))
  }
  add(event.startDate, startMs) // the iterator leaves out a start that its rules do not repeat
  const iterator = event.iterator(skipToRange(event, range.fromMs - (endMs - startMs)))
  for (let next = iterator.next(); next; next = iterator.next()) {
    const nextMs = toMs(next)
    if (nextMs > range.toMs) return
    add(next, nextMs)
  }
}

type EventTimes = { event: ICAL.Event; startMs: number; endMs: number; toMs: (time: ICAL.Time) => number }

function readTimes(component: ICAL.Component, timezone: string): EventTimes | undefined {
  const event = new ICAL.Event(component, { exceptions: [] })
  const start = component.getFirstProperty('dtstart')
  if (!start) return undefined
  const toMs = createConverter(start, timezone)
  const end = component.getFirstProperty('dtend')
  const startMs = toMs(event.startDate)
  const endMs = end ? createConverter(end, timezone)(event.endDate) : toMs(event.endDate)
  if (!Number.isFinite(startMs) || !Number.isFinite(endMs)) throw new Error('The event has no valid times')
  return { event, startMs, endMs, toMs }
}

/** Returns the end of a repetition. Whole days have as many days as the first, also if clocks are changed meanwhile. */
function endOf(start: ICAL.Time, { event, startMs, endMs, toMs }: EventTimes): number {
  if (!start.isDate) return toMs(start) + (endMs - startMs)
  const end = start.clone()
  end.addDuration(event.duration)
  return toMs(end)
}

/** Returns the function that converts the times of a property to milliseconds. `timezone`: for times without a zone. */
function createConverter(property: ICAL.Property, timezone: string): (time: ICAL.Time) => number {
  const tzid = property.getFirstParameter('tzid')
  const isDefined = tzid !== undefined && ICAL.TimezoneService.has(tzid)
  const zone = tzid !== undefined && isTimezone(tzid) ? tzid : timezone
  return (time) => {
    if (!time.isDate && (isDefined || time.zone === ICAL.Timezone.utcTimezone)) return time.toUnixTime() * 1000
    const date = time.toString().slice(0, 10)
    return toFirstInstant(zone, date, time.isDate ? 0 : time.hour * 60 + time.minute) + (time.isDate ? 0 : time.second * 1000)
  }
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

/**
 * Returns the start from which repetitions are computed. For daily, weekly and monthly rules without a number of repetitions it is later
 * than the start of the event, because an event that began years ago has very many repetitions before the range.
 */
function skipToRange(event: ICAL.Event, fromMs: number): ICAL.Time {
  const start = event.startDate
  const rules = event.component.getAllProperties('rrule').map((property) => property.getFirstValue())
  const [rule] = rules
  if (rules.length !== 1 || !(rule instanceof ICAL.Recur) || rule.count || event.component.hasProperty('rdate')) return start
  const isMonthly = rule.freq === 'MONTHLY' && start.day <= 28
  const days = rule.freq === 'DAILY' ? rule.interval : rule.freq === 'WEEKLY' ? 7 * rule.interval : isMonthly ? 31 * rule.interval : 0
  const steps = Math.floor((fromMs - start.toUnixTime() * 1000) / (days * dayMs)) - 1
  if (days <= 0 || !(steps > 0)) return start
  const later = start.clone()
  if (isMonthly) later.month += steps * rule.interval
  else later.addDuration(ICAL.Duration.fromSeconds(steps * days * 24 * 60 * 60))
  // the copy has normalised months and days; otherwise each comparison would normalise them again
  const { year, month, day, hour, minute, second, isDate } = later
  return new ICAL.Time({ year, month, day, hour, minute, second, isDate }, start.zone)
}

/** Joins times that overlap or touch each other. Returns them sorted by start. */
function merge(times: [number, number][]): [number, number][] {
  const merged: [number, number][] = []
  for (const [start, end] of times.toSorted(([one], [other]) => one - other)) {
    const last = merged.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else merged.push([start, end])
  }
  return merged
}
