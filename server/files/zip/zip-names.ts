import { addNumber, cleanFileName } from '#contract/fileNames.ts'

/** Names that Windows reserves for devices, also with an extension. */
const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * Returns a name of a file or folder that can be unpacked on every system: one segment of a path in Unicode form NFC, without `..`, the
 * characters that Windows forbids, dots and spaces at the end, and names of devices.
 */
export function cleanZipName(name: string): string {
  const isDotsAndSpaces = /^[. ]*$/.test(name)
  if (isDotsAndSpaces) return '_'
  const cleaned = cleanFileName(name.replaceAll(/[<>:"/\\|?*]/g, '_').normalize('NFC')).replace(/[. ]+$/, '')
  return deviceName.test(cleaned) ? `_${cleaned}` : cleaned
}

/**
 * Returns a function that cleans the names in one folder of a zip, one after the other. A name that equals an earlier one without regard to
 * case gets a number. `appendNumber` adds the number to a name; by default before the extension, as for files.
 */
export function createZipNames(): (name: string, appendNumber?: (name: string, count: number) => string) => string {
  const taken = new Set<string>()
  const lastNumbers = new Map<string, number>()
  return (name, appendNumber = addNumber) => {
    const cleaned = cleanZipName(name)
    const key = cleaned.toLowerCase()
    let count = lastNumbers.get(key) ?? 1
    let unique = count === 1 ? cleaned : appendNumber(cleaned, count)
    while (taken.has(unique.toLowerCase())) unique = appendNumber(cleaned, ++count)
    lastNumbers.set(key, count)
    taken.add(unique.toLowerCase())
    return unique
  }
}
