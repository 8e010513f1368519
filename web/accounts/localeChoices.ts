/** A choice of time zone, country or currency. The labels come from the browser. */
export type Choice = { value: string; label: string }

const notCountries = new Set(['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'ZZ'])
const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')

/** All time zones by their IANA names, with their current offset from GMT. */
export function timezones(chosen: string): Choice[] {
  const names = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), chosen]) // the chosen zone may have an outdated name that is not listed
  return [...names].map((value) => ({ value, label: `${value.replaceAll('_', ' ')} (${offset(value)})` }))
}

/** All countries by their two-letter codes (ISO 3166). */
export function countries(): Choice[] {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  return codes
    .filter((code) => !notCountries.has(code) && names.of(code) && new Intl.Locale(`und-${code}`).region === code) // Intl.Locale replaces retired codes by their successor
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en'))
}

/** All currencies in use by their three-letter codes (ISO 4217). */
export function currencies(chosen: string): Choice[] {
  const names = new Intl.DisplayNames('en', { type: 'currency' })
  const inUse = Intl.supportedValuesOf('currency').filter(
    (code) => !/\d{4}/.test(names.of(code) ?? '') && (!code.startsWith('X') || /^X(AF|CD|CG|OF|PF)$/.test(code)), // leaves out former currencies, metals and test codes
  )
  return [...new Set([...inUse, chosen])].map((value) => ({ value, label: `${value} - ${names.of(value)}` }))
}

function offset(timezone: string): string {
  try {
    const parts = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, timeZoneName: 'shortOffset' }).formatToParts()
    return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  } catch {
    return 'unknown here'
  }
}
