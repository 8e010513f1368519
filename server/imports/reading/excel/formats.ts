import type { ExcelPackage } from './package.ts'

/** How the numbers of a cell are written. `digits`: with at least `count` digits. `duration`: as hours, also above 24. */
export type CellFormat = { kind: 'general' | 'date' | 'duration' | 'percent' } | { kind: 'digits'; count: number }

/** Whether this id is that of a built-in format of dates or times (ECMA-376, 18.8.30). */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)
const maxFormats = 100_000
/** The maximum length of a format, in UTF-16 code units. The rest of a longer one is ignored. */
const maxCodeLength = 1000

/** Returns the formats of cells. The index is the id of the style that a cell has. */
export async function readFormats(excel: ExcelPackage): Promise<CellFormat[]> {
  const codes = new Map<number, string>()
  const formats: CellFormat[] = []
  let isInCellXfs = false
  const pieces = excel.readXml('xl/styles.xml', {
    open: (element, attributes) => {
      if (element === 'numFmt' && codes.size < maxFormats)
        codes.set(Number(attributes['numFmtId']), attributes['formatCode']?.slice(0, maxCodeLength) ?? '')
      if (element === 'cellXfs') isInCellXfs = true
      const id = Number(attributes['numFmtId'] ?? 0)
      if (element === 'xf' && isInCellXfs && formats.length < maxFormats) formats.push(parseFormat(id, codes.get(id)))
    },
    close: (element) => {
      if (element === 'cellXfs') isInCellXfs = false
    },
  })
  for await (const _ of pieces); // the handlers do the work
  return formats
}

/** `code` is the format that the file defines for the `id`, such as `dd/mm/yyyy;@`; undefined if the format is a built-in one. */
function parseFormat(id: number, code: string | undefined): CellFormat {
  if (code === undefined) {
    if (id === 46) return { kind: 'duration' } // [h]:mm:ss
    if (isBuiltInDate(id)) return { kind: 'date' }
    return { kind: id === 9 || id === 10 ? 'percent' : 'general' }
  }
  const [positive = ''] = code.replaceAll(/"[^"]*"|\\.|[_*]./g, '').split(';')
  const pattern = positive.replaceAll(/\[(?!(?:h+|m+|s+)\])[^[\]]*\]/gi, '') // colours, conditions and languages
  if (/^0{2,}$/.test(pattern)) return { kind: 'digits', count: pattern.length }
  if (/general/i.test(pattern)) return { kind: 'general' }
  if (/[ymdhs]/i.test(pattern)) return { kind: pattern.includes('[') ? 'duration' : 'date' }
  return { kind: pattern.includes('%') ? 'percent' : 'general' }
}

/**
 * Writes a stored number as text. Dates become "2026-01-31", with a time "2026-01-31 14:30:00"; durations "36:30:00". In the 1900 system,
 * numbers less than a day with a date format become only a time. Ignores the decimal places and currencies of formats.
 */
export function formatNumber(source: string, format: CellFormat, is1904: boolean): string {
  const value = Number(source)
  if (source.trim() === '' || !Number.isFinite(value)) return source
  if (format.kind === 'date') return formatDate(value, is1904) ?? String(value)
  if (format.kind === 'duration') return formatDuration(value)
  if (format.kind === 'percent') return `${roundNumber(value * 100)}%`
  const text = roundNumber(value)
  return format.kind === 'digits' && /^\d+$/.test(text) ? text.padStart(format.count, '0') : text
}

/** Excel calculates with 15 digits, so further ones are errors of rounding. */
const roundNumber = (value: number): string => String(Number.isInteger(value) ? value : Number(value.toPrecision(15)))

/** Returns a number of days as hours, minutes and seconds. */
function formatDuration(days: number): string {
  const seconds = Math.round(Math.abs(days) * 86_400)
  const [minutes, rest] = [Math.floor(seconds / 60) % 60, seconds % 60].map((part) => String(part).padStart(2, '0'))
  return `${days < 0 ? '-' : ''}${Math.floor(seconds / 3600)}:${minutes}:${rest}`
}

const msPerDay = 86_400_000
const maxYear = 9999

/**
 * Returns the date of a number of days; undefined if there is none. In the 1900 system, less than one day is only a time, and day 60 is
 * 29 February 1900, which never existed, so the days before it count from one day later.
 */
function formatDate(days: number, is1904: boolean): string | undefined {
  if (days < 0 || days > maxYear * 366) return undefined
  const seconds = Math.round(days * 86_400)
  const time = new Date((seconds % 86_400) * 1000).toISOString().slice(11, 19)
  if (days < 1 && !is1904) return time
  const start = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)
  const date = new Date(start + Math.floor(seconds / 86_400) * msPerDay)
  if (date.getUTCFullYear() > maxYear) return undefined
  const day = date.toISOString().slice(0, 10)
  return time === '00:00:00' ? day : `${day} ${time}`
}
