import { toLocalTime } from './local-time.ts'
import { canonicalZones, zoneDataVersion } from './zones.ts'

type ZoneDataWarning = { bundled: string; machine: string; zones: readonly string[] }

const halfMonthMs = 15 * 24 * 60 * 60_000

/**
 * Compares our time zone data with that of Node for the next 12 months. Returns a warning if the data of Node is newer and differs: then
 * Foyer should be updated, because rules have changed since. Older data of Node is not a problem, because Foyer does not use it.
 */
export function checkZoneData(now: Date, machine = process.versions['tz'] ?? ''): ZoneDataWarning | undefined {
  if (machine <= zoneDataVersion) return undefined
  const zones = canonicalZones.filter((timezone) => differsFromMachine(timezone, now))
  return zones.length === 0 ? undefined : { bundled: zoneDataVersion, machine, zones }
}

function differsFromMachine(timezone: string, now: Date): boolean {
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  } catch {
    return false // Node does not know this name
  }
  return Array.from({ length: 24 }, (_, index) => now.getTime() + index * halfMonthMs).some(
    (instant) => format.format(instant) !== toLocalTime(timezone, instant).time,
  )
}

/** Logs one warning that names the zones whose times may be wrong. */
export function warnAboutZoneData(log: { warn: (details: object, text: string) => void }, now: Date, machine?: string): void {
  const warning = checkZoneData(now, machine)
  if (warning) log.warn(warning, 'the time zone data of this machine is newer than that of Foyer; get a newer version of Foyer')
}
