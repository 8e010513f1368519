// Converts between instants and the times that clocks show in a time zone. Uses the data of a package: the data of Node, PostgreSQL and
// browsers may be older and differ from each other.
import moment from 'moment-timezone'
import { findZoneName, packedZones } from './zones.ts'

/**
 * What the clocks of a zone show at an instant. `date` is `YYYY-MM-DD`, `time` is `HH:MM`, `offsetMinutes` is positive east of Greenwich.
 */
export type LocalTime = { date: string; time: string; offsetMinutes: number }

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** Larger than the offset of any zone from UTC. */
const maxOffsetMs = 26 * 60 * minuteMs

type Zone = { offsets: readonly number[]; untils: readonly number[]; abbrs: readonly string[] }

const nameOfPacked = (packed: string): string => packed.slice(0, packed.indexOf('|'))
const packedByName = new Map(packedZones.map((packed) => [nameOfPacked(packed), packed]))

const zones = new Map<string, Zone>()

/** The zone of this name or alias. Throws for an unknown name, so check names of clients with `isTimezone` before. */
function findZone(timezone: string): Zone {
  const known = zones.get(timezone)
  if (known) return known
  const zone = moment.tz.zone(timezone)
  if (!zone) throw new Error(`Unknown time zone: ${timezone}`)
  zones.set(timezone, zone)
  return zone
}

/**
 * Replaces the data of some zones, as a newer version of the package would. `packed` has them in the format of the package. For tests of
 * what happens to stored times when rules change; they restore `packedZones` afterwards.
 */
export function loadZones(packed: readonly string[]): void {
  moment.tz.add([...packed])
  for (const zone of packed) packedByName.set(nameOfPacked(zone), zone)
  zones.clear()
}

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))
/** The texts of dates by the number of days since 1970: a page needs the same few dates for hundreds of times. */
const dateTexts = new Map<number, string>()
const maxDateTexts = 10_000

function toDateText(dayNumber: number): string {
  const known = dateTexts.get(dayNumber)
  if (known !== undefined) return known
  if (dateTexts.size >= maxDateTexts) dateTexts.clear()
  const text = new Date(dayNumber * dayMs).toISOString().slice(0, 10)
  dateTexts.set(dayNumber, text)
  return text
}

/** Returns the index of the period of the zone that contains the instant, by binary search. The last period has no end. */
function periodAt({ untils }: Zone, instantMs: number): number {
  let low = 0
  let high = untils.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (instantMs < (untils[middle] ?? Infinity)) high = middle
    else low = middle + 1
  }
  return low
}

const offsetOf = ({ offsets }: Zone, period: number): number => -(offsets[period] ?? 0) // the package counts west of Greenwich

/** Returns what the clocks of the zone show at the instant. */
export function toLocalTime(timezone: string, instantMs: number): LocalTime {
  const zone = findZone(timezone)
  const offsetMinutes = offsetOf(zone, periodAt(zone, instantMs))
  const wallMs = instantMs + offsetMinutes * minuteMs
  const dayNumber = Math.floor(wallMs / dayMs)
  const minutesOfDay = Math.floor((wallMs - dayNumber * dayMs) / minuteMs)
  const time = `${twoDigits[Math.floor(minutesOfDay / 60)]}:${twoDigits[minutesOfDay % 60]}`
  return { date: toDateText(dayNumber), time, offsetMinutes: Math.round(offsetMinutes) }
}

/**
 * Returns the instants at which the clocks of the zone show this time, in their order: two if clocks are set back over it, none if they are
 * set forward over it. `minutesOfDay` may be up to 24 hours.
 */
export function toInstants(timezone: string, date: string, minutesOfDay: number): number[] {
  const zone = findZone(timezone)
  const wallMs = Date.parse(`${date}T00:00:00Z`) + minutesOfDay * minuteMs
  const instants: number[] = []
  const lastPeriod = periodAt(zone, wallMs + maxOffsetMs)
  for (let period = periodAt(zone, wallMs - maxOffsetMs); period <= lastPeriod; period++) {
    const instant = wallMs - offsetOf(zone, period) * minuteMs
    if (periodAt(zone, instant) === period) instants.push(instant)
  }
  return instants
}

/**
 * Returns the first instant at which the clocks of the zone show this time or, if they are set forward over it, the instant of that change.
 */
export function toFirstInstant(timezone: string, date: string, minutesOfDay: number): number {
  const [instant] = toInstants(timezone, date, minutesOfDay)
  if (instant !== undefined) return instant
  const zone = findZone(timezone)
  const wallMs = Date.parse(`${date}T00:00:00Z`) + minutesOfDay * minuteMs
  // no period has this time, so the change that skips it is the first one after which the clocks show a later time
  for (let period = periodAt(zone, wallMs - maxOffsetMs); ; period++) {
    const until = zone.untils[period] ?? Infinity
    if (until + offsetOf(zone, period + 1) * minuteMs > wallMs) return until
  }
}

/**
 * Returns the offsets of the zone, each with the instant from which it is valid, up to the last change in the data. The first offset has no
 * beginning: its `from` is 0, although the next `from` may be before 1970.
 */
export function listOffsets(timezone: string): { from: number; minutes: number }[] {
  // not with `findZone`, which would keep all zones in memory when it is called for each of them
  const zone = moment.tz.unpack(packedByName.get(findZoneName(timezone) ?? '') ?? '')
  return zone.offsets.map((_, period) => ({
    from: period === 0 ? 0 : (zone.untils[period - 1] ?? 0),
    minutes: Math.round(offsetOf(zone, period)),
  }))
}

/** Returns the date after this number of days; before it for a negative number. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** Returns the day of the week of a date, from 0 for Sunday to 6 for Saturday. */
export const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay()

/** Returns the offset as `UTC-4`, `UTC+5:45` or `UTC`. */
export function formatOffset(offsetMinutes: number): string {
  if (offsetMinutes === 0) return 'UTC'
  const minutes = Math.abs(offsetMinutes) % 60
  const hours = Math.floor(Math.abs(offsetMinutes) / 60)
  return `UTC${offsetMinutes < 0 ? '-' : '+'}${hours}${minutes === 0 ? '' : `:${String(minutes).padStart(2, '0')}`}`
}

/** Returns the name that a zone has at the instant with its offset: `EDT (UTC-4)`, `GMT`; only the offset for zones without such a name. */
export function formatZone(timezone: string, instantMs: number): string {
  const zone = findZone(timezone)
  const period = periodAt(zone, instantMs)
  const offset = formatOffset(Math.round(offsetOf(zone, period)))
  const name = zone.abbrs[period] ?? ''
  if (!/^[A-Z]{2,5}$/.test(name) || name === offset) return offset
  return offset === 'UTC' ? name : `${name} (${offset})`
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Returns a date as `Monday, 30 November 2026`. */
export const formatDate = (date: string): string => {
  const parts = new Map(dayFormat.formatToParts(new Date(`${date}T00:00:00Z`)).map(({ type, value }) => [type, value]))
  return `${parts.get('weekday')}, ${parts.get('day')} ${parts.get('month')} ${parts.get('year')}`
}
