// The sentences for rows that are not records, and the cells that are kept of them.
import { shorten, toStorableText } from '../inspect.ts'
import type { BrokenRow, SkipReason } from '../reading/table.ts'

export const skipSentences: Record<SkipReason, string> = {
  empty: 'This row is empty.',
  repeated_header: 'This row repeats the header.',
  preamble: 'This line stands above the table.',
  footer: 'This line stands below the table.',
  unrecognised: 'No person was recognised in this text.',
}

export const breakSentences: Record<BrokenRow['reason'], string> = {
  unclosed_quote: 'A quotation mark in this row is never closed.',
  too_many_cells: 'This row has more cells than the table has columns.',
  too_long: 'This row is longer than 1,048,576 characters.',
  unclosed_card: 'This card has no end.',
}

/** The numbers of cells and of characters that are kept of a skipped row. */
const [maxSkippedCells, maxSkippedLength] = [10, 100]

export const shortenSkipped = (cells: readonly string[]): string[] =>
  cells.slice(0, maxSkippedCells).map((cell) => shorten(cell, maxSkippedLength))

/**
 * Splits a broken row at its separators, so that the file of failed rows has its texts in columns. Removes a quotation mark at the
 * beginning and at the end of each cell.
 */
export function splitBroken(raw: string, separator: string | null): string[] {
  const text = toStorableText(raw).replace(/\r?\n$/, '')
  if (separator === null) return [text]
  return text.split(separator).map((cell) => cell.trim().replaceAll(/^"|"$/g, '').replaceAll('""', '"'))
}
