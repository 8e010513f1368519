/** Returns a line of a CSV file (RFC 4180). */
export const csvLine = (values: readonly unknown[]): string => `${values.map(formatCell).join(',')}\r\n`

/** At the start of a file, so that spreadsheets read it as UTF-8. */
export const byteOrderMark = '\u{FEFF}'

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = escapeFormulas(Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : JSON.stringify(value))
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Prevents CSV injection: adds an apostrophe before text that a spreadsheet would run as a formula, at the start and at every place where
 * a spreadsheet with other separators starts a cell. Does not change numbers and phone numbers.
 */
function escapeFormulas(text: string): string {
  const inside = text.replaceAll(/[\s;"]+/g, (run: string, at: number) =>
    cellEnd.test(run) && startsFormula(text, at + run.length) ? `${run}'` : run,
  )
  return /^[\t\r\n]/.test(text) || startsFormula(text, text.search(/\S|$/)) ? `'${inside}` : inside
}

const cellEnd = /[;\t\r\n]/
const formula = /[=@＝＠＋－]|[+-](?![\d .()\-/\u{A0}]*(?:[;\t\r\n]|$))/uy

function startsFormula(text: string, at: number): boolean {
  formula.lastIndex = at
  return formula.test(text)
}
