/**
 * Reads at most `maxRows` rows of a CSV text. The separator is the comma, semicolon or tab, whichever is most frequent in the first line.
 */
export function parseCsv(text: string, maxRows: number): string[][] {
  const firstLineEnd = text.indexOf('\n')
  const separator = findSeparator(firstLineEnd < 0 ? text : text.slice(0, firstLineEnd))
  const rows: string[][] = []
  let row: string[] = []
  let position = 0
  while (position < text.length && rows.length < maxRows) {
    const { value, end } = readValue(text, position, separator)
    row.push(value)
    const next = text.charAt(end)
    position = end + (text.startsWith('\r\n', end) ? 2 : 1)
    if (next === separator && position < text.length) continue
    rows.push(next === separator ? [...row, ''] : row) // a separator at the very end is followed by an empty value
    row = []
  }
  return rows
}

function findSeparator(line: string): string {
  const count = (separator: string): number => line.split(separator).length
  return [',', ';', '\t'].reduce((best, each) => (count(each) > count(best) ? each : best))
}

/**
 * Reads the value at `start`. `end` is the index of the separator or line break after the value. Text between the closing quote and the
 * separator belongs to the value.
 */
function readValue(text: string, start: number, separator: string): { value: string; end: number } {
  const quoted = text.charAt(start) === '"' ? readQuoted(text, start + 1) : { value: '', end: start }
  let { end } = quoted
  while (end < text.length && ![separator, '\n', '\r'].includes(text.charAt(end))) end += 1
  return { value: quoted.value + text.slice(quoted.end, end), end }
}

/**
 * Reads a quoted value, in which two quotes stand for one. `start` is the index after the opening quote, `end` the index after the
 * closing quote.
 */
function readQuoted(text: string, start: number): { value: string; end: number } {
  let value = ''
  let position = start
  for (;;) {
    const quote = text.indexOf('"', position)
    if (quote < 0) return { value: value + text.slice(position), end: text.length }
    value += text.slice(position, quote)
    if (text.charAt(quote + 1) !== '"') return { value, end: quote + 1 }
    value += '"'
    position = quote + 2
  }
}
