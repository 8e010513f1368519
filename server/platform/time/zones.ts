// The names and countries of time zones. They come from a package, because the data of the runtime may be older.
import meta from 'moment-timezone/data/meta/latest.json' with { type: 'json' }
import packed from 'moment-timezone/data/packed/latest.json' with { type: 'json' }

const targets = new Map<string, string>()
for (const zone of packed.zones) {
  const [name] = zone.split('|')
  if (name) targets.set(name, name)
}
for (const link of packed.links) {
  const [target, alias] = link.split('|')
  if (target && alias) targets.set(alias, target)
}

const countries = new Map<string, string[]>()
for (const { name, countries: codes } of Object.values(meta.zones)) countries.set(name, codes)

/** Whether this is the name of a time zone or an alias such as `US/Pacific`. */
export const isTimezone = (name: string): boolean => targets.has(name)

/** Returns the country of a zone (ISO 3166), the first of several; empty for zones without a country such as `UTC`. */
export function countryOfZone(name: string): string {
  const [first = ''] = countries.get(name) ?? countries.get(targets.get(name) ?? '') ?? []
  return first
}
