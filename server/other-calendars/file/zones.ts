// The time zones of a calendar file: those that it defines, and those that it only names.
import ICAL from 'ical.js'
import { toFirstInstant } from '#server/platform/time/local-time.ts'
import { isTimezone } from '#server/platform/time/zones.ts'
import type { Block } from './lines.ts'

/** Makes the time zones of the file known to the library, and forgets those of earlier files. */
export function registerZones(blocks: readonly Block[]): void {
  ICAL.TimezoneService.reset()
  for (const { name, lines } of blocks) {
    if (name !== 'VTIMEZONE') continue
    try {
      ICAL.TimezoneService.register(new ICAL.Component(ICAL.parse(lines.join('\r\n'))))
    } catch {
      // times in this zone are then read by the name of the zone, or in the owner's zone if the name is unknown
    }
  }
}

/** Returns the function that converts the times of a property to milliseconds. `timezone`: for times without a zone. */
export function createConverter(property: ICAL.Property, timezone: string): (time: ICAL.Time) => number {
  const { zone, isDefined } = findZone(property, timezone)
  return (time) => {
    if (!time.isDate && (isDefined || time.zone === ICAL.Timezone.utcTimezone)) return time.toUnixTime() * 1000
    const date = time.toString().slice(0, 10)
    return toFirstInstant(zone, date, time.isDate ? 0 : time.hour * 60 + time.minute) + (time.isDate ? 0 : time.second * 1000)
  }
}

/**
 * Returns the zone of a property whose value is only a clock time for the library, because the file does not define the zone. Undefined for
 * days and for times that the library can convert.
 */
export function findClockZone(property: ICAL.Property, timezone: string): string | undefined {
  const time = property.getFirstValue()
  if (!(time instanceof ICAL.Time) || time.isDate || time.zone === ICAL.Timezone.utcTimezone) return undefined
  const { zone, isDefined } = findZone(property, timezone)
  return isDefined ? undefined : zone
}

function findZone(property: ICAL.Property, timezone: string): { zone: string; isDefined: boolean } {
  const tzid = property.getFirstParameter('tzid')
  const isDefined = tzid !== undefined && ICAL.TimezoneService.has(tzid)
  return { zone: tzid !== undefined && isTimezone(tzid) ? tzid : timezone, isDefined }
}
