// The names and countries of time zones. They come from a package, because the time zone data of Node may be older.
import meta from 'moment-timezone/data/meta/latest.json' with { type: 'json' }
import packed from 'moment-timezone/data/packed/latest.json' with { type: 'json' }
import { Refusal } from '#server/platform/refusal.ts'

/** Maps each name of a zone, and each alias such as `US/Pacific`, to the name of the zone. */
const zoneNames = new Map<string, string>()
for (const zone of packed.zones) {
  const [name] = zone.split('|') // the package writes a zone as `name|offsets|...`
  if (name) zoneNames.set(name, name)
}
for (const link of packed.links) {
  const [name, alias] = link.split('|') // the package writes an alias as `name|alias`
  if (name && alias) zoneNames.set(alias, name)
}

/** All zones in the format of the package. */
export const packedZones: readonly string[] = packed.zones

/** Returns the name of the zone that has this name or alias; undefined for an unknown name. */
export const findZoneName = (nameOrAlias: string): string | undefined => zoneNames.get(nameOrAlias)

/** All names of zones with their aliases. */
export const listZoneNames = (): string[] => [...zoneNames.keys()]

/** The year of the data and a letter, such as `2026a`. */
export const zoneDataVersion: string = packed.version

/** The names of all zones, without aliases. */
export const canonicalZones: readonly string[] = [...new Set(zoneNames.values())]

/**
 * The names of places with a zone, such as `Europe/London`, and `UTC`, for lists from which people choose. Some are aliases: `Europe/Oslo`
 * has the rules of `Europe/Berlin`, but people of Oslo search for their city.
 */
export const timezoneNames: readonly string[] = ['UTC', ...Object.keys(meta.zones).filter((name) => zoneNames.has(name))]

const countriesOfZone = new Map<string, string[]>()
for (const { name, countries } of Object.values(meta.zones)) countriesOfZone.set(name, countries)

/** Whether this is the name of a time zone or an alias such as `US/Pacific`. */
export const isTimezone = (name: string): boolean => zoneNames.has(name)

/** The message for a field `timezone` with an unknown name. */
export const unknownTimezone = { timezone: 'Choose a time zone from the list' }

/** Checks the field `timezone` of a request. Throws `invalid` for a name that `isTimezone` does not know. */
export function requireTimezone(name: string): void {
  if (!isTimezone(name)) throw new Refusal('invalid', { fields: unknownTimezone })
}

/** Returns the first country of a zone as its ISO 3166 code; an empty text for zones without a country such as `UTC`. */
export function countryOfZone(name: string): string {
  const countries = countriesOfZone.get(name) ?? countriesOfZone.get(findZoneName(name) ?? '')
  return countries?.[0] ?? ''
}
