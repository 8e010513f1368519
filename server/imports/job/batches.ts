// Counts the rows of a file, and divides them into the batches that are stored.
import { addEmptyRows, type EmptyRows, type TableRow } from '../reading/table.ts'

/** A batch ends at the first of these limits. The second one is the length of its cells, in UTF-16 code units. */
const [maxBatchRows, maxBatchLength] = [500, 2_000_000]
/** The interval in which the counting of rows finds out that the user has stopped the import. */
const statusCheckMs = 2000

/** Returns how many rows of the file this is. */
export const countOf = (row: TableRow): number => (row.kind === 'empty' ? row.count : 1)

/**
 * Counts all rows before the first one is stored, so that nothing is imported from a damaged file, and the progress is exact. Empty rows at
 * the end are not counted.
 */
export async function countRows(rows: AsyncIterable<TableRow>, requireRunning: () => Promise<void>): Promise<number> {
  let count = 0
  let emptyCount = 0
  let nextCheck = performance.now() + statusCheckMs
  for await (const row of rows) {
    emptyCount += countOf(row)
    if (row.kind !== 'empty') {
      count += emptyCount
      emptyCount = 0
    }
    if (performance.now() < nextCheck) continue
    await requireRunning()
    nextCheck = performance.now() + statusCheckMs
  }
  return count
}

/**
 * Leaves out the first `skipped` rows, which are stored already, and yields the others in batches. An earlier version of Foyer has stored
 * each empty row separately, so the first of the others can be within a number of empty rows.
 */
export async function* toBatches(rows: AsyncIterable<TableRow>, skipped: number): AsyncGenerator<TableRow[]> {
  let [index, length] = [0, 0]
  let batch: TableRow[] = []
  for await (const row of joinEmptyRows(rows)) {
    const known = Math.max(0, skipped - index)
    const count = countOf(row)
    index += count
    if (known >= count) continue
    batch.push(row.kind === 'empty' ? { ...row, line: row.line + known, count: count - known } : row)
    length += lengthOf(row)
    if (batch.length < maxBatchRows && length < maxBatchLength) continue
    yield batch
    batch = []
    length = 0
  }
  if (batch.length > 0) yield batch
}

/** Joins the parts of a number of empty rows, and leaves out those at the end. */
async function* joinEmptyRows(rows: AsyncIterable<TableRow>): AsyncGenerator<TableRow> {
  let emptyRows: EmptyRows | undefined
  for await (const row of rows) {
    if (row.kind === 'empty') {
      emptyRows = addEmptyRows(emptyRows, row.line, row.count)
      continue
    }
    if (emptyRows) yield emptyRows
    emptyRows = undefined
    yield row
  }
}

function lengthOf(row: TableRow): number {
  if (row.kind === 'record') return row.cells.reduce((sum, cell) => sum + cell.length, 0)
  return row.kind === 'empty' ? 0 : row.raw.length
}
