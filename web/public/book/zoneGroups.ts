/** The time zones of a region: their IANA names, and their labels, which begin with the city. */
export type ZoneGroup = { region: string; zones: { name: string; place: string }[] }

const regionLabels: Readonly<Record<string, string>> = {
  America: 'Americas',
  Atlantic: 'Atlantic Ocean',
  Indian: 'Indian Ocean',
  Pacific: 'Pacific Ocean',
}

/**
 * Groups IANA names of time zones by region. `place` begins with the city, so that typing a city in the list selects it. Zones without a
 * region, such as UTC, have the region ''.
 */
export function groupZones(names: Iterable<string>): ZoneGroup[] {
  const groups = new Map<string, ZoneGroup['zones']>([['', []]])
  for (const name of [...names].toSorted()) {
    const [first = '', ...places] = name.replaceAll('_', ' ').split('/')
    const region = places.length === 0 ? '' : (regionLabels[first] ?? first)
    const zones = groups.get(region) ?? []
    groups.set(region, [...zones, { name, place: places.length === 0 ? first : places.toReversed().join(', ') }])
  }
  return [...groups]
    .filter(([, zones]) => zones.length > 0)
    .map(([region, zones]) => ({ region, zones: zones.toSorted((one, other) => (one.place < other.place ? -1 : 1)) }))
}
