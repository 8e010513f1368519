/** A region with its time zones by place. */
export type ZoneGroup = { region: string; zones: { name: string; place: string }[] }

const regionLabels: Readonly<Record<string, string>> = {
  America: 'Americas',
  Atlantic: 'Atlantic Ocean',
  Indian: 'Indian Ocean',
  Pacific: 'Pacific Ocean',
}

/** Groups names of time zones by region. The places are first in the labels, so that typing a city finds it. Zones without a place have no region. */
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
