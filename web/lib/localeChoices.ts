/** A choice of time zone, country or currency. The labels come from the browser. */
export type Choice = { value: string; label: string }

/** Codes that browsers have a name for, but that are not countries: unions, parts of countries and test codes. */
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
  const isCurrent = (code: string): boolean => new Intl.Locale(`und-${code}`).region === code // Intl.Locale replaces a retired code by its successor
  return codes
    .filter((code) => !excludedRegionCodes.has(code) && names.of(code) && isCurrent(code))
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .toSorted((one, other) => one.label.localeCompare(other.label, 'en'))
}

/** Returns all current currencies by three-letter code (ISO 4217). */
export function listCurrencies(selected: string): Choice[] {
  const names = new Intl.DisplayNames('en', { type: 'currency' })
  const isFormer = (code: string): boolean => /\d{4}/.test(names.of(code) ?? '') // the name of a former currency contains years
  const isMetalOrTest = (code: string): boolean => code.startsWith('X') && !/^X(AF|CD|CG|OF|PF)$/.test(code) // five codes with X are currencies
  const currentCodes = Intl.supportedValuesOf('currency').filter((code) => !isFormer(code) && !isMetalOrTest(code))
  return [...new Set([...currentCodes, selected])].map((value) => ({ value, label: `${value} - ${names.of(value)}` }))
}

function formatOffset(timezone: string): string {
  try {
    const parts = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, timeZoneName: 'shortOffset' }).formatToParts()
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  } catch {
    return 'unknown here'
  }
}
