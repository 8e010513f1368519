/** Returns a line of a CSV file (RFC 4180). */
export const formatCsvLine = (values: readonly unknown[]): string => `${values.map(formatCell).join(',')}\r\n`

/** The first character of a CSV file. With it spreadsheets read the file as UTF-8. */
export const byteOrderMark = '\u{FEFF}'

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = escapeFormulas(toText(value))
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function toText(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * Prevents CSV injection: adds an apostrophe before text that a spreadsheet would run as a formula, at the start and at every place where
 * a spreadsheet with other separators starts a cell. Does not change numbers and phone numbers.
 */
function escapeFormulas(text: string): string {
  const escapedInside = text.replaceAll(/[\s;"]+/g, (separators: string, offset: number) =>
    cellEnd.test(separators) && startsFormula(text, offset + separators.length) ? `${separators}'` : separators,
  )
  const firstCharacter = text.search(/\S|$/) // the index of the first character that is no space
  return /^[\t\r\n]/.test(text) || startsFormula(text, firstCharacter) ? `'${escapedInside}` : escapedInside
}

/** The characters at which a spreadsheet with other separators ends a cell. */
const cellEnd = /[;\t\r\n]/
/**
 * Matches the first character of a formula: `=` or `@`, a full-width form of a sign, or a plus or minus that is not the sign of a number or
 * a phone number, that is, not followed only by digits, spaces and `.()-/` up to the end of the cell.
 */
const formulaStart = /[=@＝＠＋－]|[+-](?![\d .()\-/\u{A0}]*(?:[;\t\r\n]|$))/uy

/** Returns whether a formula begins at this position of the text. */
function startsFormula(text: string, offset: number): boolean {
  formulaStart.lastIndex = offset
  return formulaStart.test(text)
}
