import { createTokenizer } from './tokenizer.ts'

const separators = [',', ';', '\t', '|'] as const
/** Rows that are inspected to choose the separator. */
const inspectedRows = 200

/** A line `sep=;` at the beginning, as Excel writes it. */
const separatorLine = /^"?sep=(.)"?[^\S\n]*(?:\n|$)/i

/** How a text is split. `skippedLines` is 1 if the first line only says what the separator is. */
export type Separation = { separator: string; skippedLines: 0 | 1; consistency: number }

/**
 * Chooses the separator with which most rows have the same number of cells. `start` is the beginning of the text. `consistency` is the
 * share of these rows, or 0 if no separator splits the text. If the shares are similar, more columns and the usual separator of the file
 * type decide.
 */
export function chooseSeparator(start: string, fileType: string): Separation {
  const separator = separatorLine.exec(start)?.[1]
  if (separator) return { separator, skippedLines: 1, consistency: 1 }
  const scores = separators.map((each) => ({ separator: each, ...measure(start, each, fileType) }))
  const best = scores.toSorted((a, b) => b.consistency * b.weight - a.consistency * a.weight)[0]
  return best && best.consistency > 0
    ? { separator: best.separator, skippedLines: 0, consistency: best.consistency }
    : { separator: fileType === 'tsv' ? '\t' : ',', skippedLines: 0, consistency: 0 }
}

/** Returns the share of the rows that have the most usual number of cells, at least two. `weight`: up to 1.21, higher for more columns. */
function measure(start: string, separator: string, fileType: string): { consistency: number; weight: number } {
  const tokenizer = createTokenizer(separator)
  const rows = [...tokenizer.push(start.slice(0, 256 * 1024)), ...tokenizer.end()].slice(0, inspectedRows)
  const counts = new Map<number, number>()
  let filled = 0
  for (const row of rows) {
    if (row.kind !== 'row' || row.raw.trim() === '') continue
    filled++
    counts.set(row.cells.length, (counts.get(row.cells.length) ?? 0) + 1)
  }
  const [width = 1, frequency = 0] = [...counts].filter(([count]) => count > 1).toSorted((a, b) => b[1] - a[1])[0] ?? []
  const isExpected = (fileType === 'tsv' && separator === '\t') || (fileType === 'csv' && separator === ',')
  return { consistency: filled === 0 ? 0 : frequency / filled, weight: 1 + Math.min(width, 20) / 100 + (isExpected ? 0.01 : 0) }
}
