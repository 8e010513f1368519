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

/** A text that a spreadsheet would run as a formula begins with an apostrophe. Numbers and phone numbers stay as they are. */
const harmless = (text: string): string => (/^\s*[=@＝＠＋－]|^[\t\r\n]|^\s*[+-](?![\d\s().\-/]*$)/.test(text) ? `'${text}` : text)
