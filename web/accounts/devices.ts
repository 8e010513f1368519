/** The first match is the browser. User agents of most browsers contain "Chrome/" and "Safari/", so these come last. */
const browsers: [pattern: RegExp, name: string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
/** The first match is the system. User agents of Android devices contain "Linux" too, so Linux comes last. */
const systems: [pattern: RegExp, name: string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** Formats a user agent as "Firefox on Linux". Omits an unknown browser or system. Shows the first word if both are unknown. */
export function formatDeviceName(userAgent: string): string {
  const findName = (list: typeof browsers): string | undefined => list.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = findName(browsers)
  const system = findName(systems)
  if (browser && system) return `${browser} on ${system}`
  const firstWord = userAgent.split(/[\s/]/)[0]
  return browser ?? system ?? (firstWord || 'Unknown device')
}

export const isPhone = (userAgent: string): boolean => /iPhone|Android.*Mobile/.test(userAgent)
