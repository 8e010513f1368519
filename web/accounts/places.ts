/** What the account page lets people choose from, in words that the browser knows. */
export type Choice = { value: string; label: string }

const notCountries = new Set(['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'ZZ'])
const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')

/** Every time zone by its IANA name, with its distance from Greenwich at this time of the year. */
export function timezones(chosen: string): Choice[] {
  const names = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), chosen]) // the chosen one may be an older name
  return [...names].map((value) => ({ value, label: `${value.replaceAll('_', ' ')} (${offset(value)})` }))
}

/** Every country by its two letters of ISO 3166. */
export function countries(): Choice[] {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  return codes
    .filter((code) => !notCountries.has(code) && names.of(code) && new Intl.Locale(`und-${code}`).region === code) // retired codes name their heir
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en'))
}

/** Every currency in use, by its three letters of ISO 4217. */
export function currencies(chosen: string): Choice[] {
  const names = new Intl.DisplayNames('en', { type: 'currency' })
  const inUse = Intl.supportedValuesOf('currency').filter(
    (code) => !/\d{4}/.test(names.of(code) ?? '') && (!code.startsWith('X') || /^X(AF|CD|CG|OF|PF)$/.test(code)), // no metals, no test codes
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
