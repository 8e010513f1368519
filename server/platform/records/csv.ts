/** One line of a CSV file (RFC 4180). */
export const csvLine = (values: readonly unknown[]): string => `${values.map(cellOf).join(',')}\r\n`

/** Spreadsheets read UTF-8 right when a file begins with this. */
export const byteOrderMark = '\u{FEFF}'

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = harmless(Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : JSON.stringify(value))
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * What a spreadsheet would run as a formula gets an apostrophe in front, at the beginning and wherever one that knows other separators
 * begins a cell. Numbers and phone numbers stay as they are.
 */
function harmless(text: string): string {
  const inside = text.replaceAll(/[\s;"]+/g, (run: string, at: number) =>
    endsCell.test(run) && runs(text, at + run.length) ? `${run}'` : run,
  )
  return /^[\t\r\n]/.test(text) || runs(text, text.search(/\S|$/)) ? `'${inside}` : inside
}

const endsCell = /[;\t\r\n]/
const formula = /[=@＝＠＋－]|[+-](?![\d .()\-/\u{A0}]*(?:[;\t\r\n]|$))/uy

function runs(text: string, at: number): boolean {
  formula.lastIndex = at
  return formula.test(text)
}
