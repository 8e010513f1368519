/** A choice of time zone, country or currency. The labels come from the browser. */
export type Choice = { value: string; label: string }

const excludedRegionCodes = new Set(['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'ZZ'])
const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')

/** Returns all time zones by IANA name, with their current offset from GMT. */
export function listTimezones(selected: string): Choice[] {
  const names = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), selected]) // the selected zone may have an outdated name, which browsers do not list
  return [...names].map((value) => ({ value, label: `${value.replaceAll('_', ' ')} (${formatOffset(value)})` }))
}

/** Returns all countries by two-letter code (ISO 3166). */
export function listCountries(): Choice[] {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  return codes
    .filter((code) => !excludedRegionCodes.has(code) && names.of(code) && new Intl.Locale(`und-${code}`).region === code) // Intl.Locale replaces a retired code by its successor
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en'))
}

/** Returns all current currencies by three-letter code (ISO 4217). */
export function listCurrencies(selected: string): Choice[] {
  const names = new Intl.DisplayNames('en', { type: 'currency' })
  const inUse = Intl.supportedValuesOf('currency').filter(
    (code) => !/\d{4}/.test(names.of(code) ?? '') && (!code.startsWith('X') || /^X(AF|CD|CG|OF|PF)$/.test(code)), // excludes former currencies, metals and test codes
  )
  return [...new Set([...inUse, selected])].map((value) => ({ value, label: `${value} - ${names.of(value)}` }))
}

function formatOffset(timezone: string): string {
  try {
    const parts = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, timeZoneName: 'shortOffset' }).formatToParts()
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  } catch {
    return 'unknown here'
  }
}
