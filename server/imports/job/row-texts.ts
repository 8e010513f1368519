// The sentences for rows that are not records, and the cells that are kept of them.
import { toStorableText } from '#server/platform/database/storable.ts'
import { shorten } from '../inspect.ts'
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

/** Returns the sentence for several empty rows, one after the other. */
export const describeEmptyRows = (count: number): string => `These ${count.toLocaleString('en')} rows are empty.`

/** The sentence for a row whose cells caused an error that the server does not expect. */
export const unreadableRowSentence = 'This row cannot be read.'

/** The number of cells that are kept of a row that cannot be imported again, and the number of characters of each. */
const [maxKeptCells, maxKeptLength] = [10, 100]

export const keepFirstCells = (cells: readonly string[], count = maxKeptCells): string[] =>
  cells.slice(0, count).map((cell) => shorten(cell, maxKeptLength))

/**
 * Splits a broken row at its separators, so that the file of failed rows has its texts in columns. Removes a quotation mark at the
 * beginning and at the end of each cell.
 */
export function splitBrokenRow(raw: string, separator: string | null): string[] {
  const text = toStorableText(raw).replace(/\r?\n$/, '')
  if (separator === null) return [text]
  return text.split(separator).map((cell) => cell.trim().replaceAll(/^"|"$/g, '').replaceAll('""', '"'))
}
