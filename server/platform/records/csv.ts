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
 * a spreadsheet with other separators starts a cell. Does not change numbers and phone numbers. A formula after apostrophes gets one more,
 * so that `unescapeFormulas` returns the same text.
 */
function escapeFormulas(text: string): string {
  const escapedInside = text.replaceAll(separators, (run: string, offset: number) =>
    cellEnd.test(run) && startsFormula(text, offset + run.length) ? `${run}'` : run,
  )
  return beginsLikeFormula(text) ? `'${escapedInside}` : escapedInside
}

/** Returns the text of a cell without the apostrophes that `formatCsvLine`, and other programs, add to formulas. */
export function unescapeFormulas(text: string): string {
  if (!text.includes("'")) return text
  const escapedInside = text.startsWith("'") && beginsLikeFormula(text.slice(1)) ? text.slice(1) : text
  let unescaped = ''
  let end = 0
  for (const { 0: run, index } of escapedInside.matchAll(separators)) {
    const next = index + run.length
    if (escapedInside[next] !== "'" || !cellEnd.test(run) || !startsFormula(escapedInside, next + 1)) continue
    unescaped += escapedInside.slice(end, next)
    end = next + 1
  }
  return unescaped + escapedInside.slice(end)
}

/** What may stand between two cells of a spreadsheet with other separators. */
const separators = /[\s;"]+/g
/** The characters at which a spreadsheet with other separators ends a cell. */
const cellEnd = /[;\t\r\n]/
/**
 * Matches the first character of a formula, after apostrophes: `=`, `@`, a full-width form of a sign, or a plus or minus. Plus and minus
 * begin a number or a phone number, and no formula, if only digits, spaces and `.()-/` follow up to the end of the cell.
 */
const formulaStart = /'*(?:[=@＝＠＋－]|[+-](?![\d .()\-/\u{A0}]*(?:[;\t\r\n]|$)))/uy

/** Whether a spreadsheet may run the whole text as a formula. */
const beginsLikeFormula = (text: string): boolean => /^'*[\t\r\n]/.test(text) || startsFormula(text, text.search(/[^\s']|$/))

/** Returns whether a formula begins at this position of the text. */
function startsFormula(text: string, offset: number): boolean {
  formulaStart.lastIndex = offset
  return formulaStart.test(text)
}
