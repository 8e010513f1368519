// Adds rows to the demo account in batches, and chooses the values of a row by its index, so that they look random.
import { sql, type Database } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'

const maxRowsPerBatch = 5000

/** The creation times of the rows are spread over this many days before now. */
const demoDays = 83

type RowsToAdd = {
  /** The plural for the label of the change, for example "contacts". */
  plural: string
  count: number
  /** Returns the fields of the row with this index, which counts from 0. */
  createRow: (index: number) => object
  /**
   * The SQL that inserts the rows. $1 is the owner, $2 is a JSON array of the rows. `uuidv7(-ago)` creates an id whose time is as long ago
   * as the interval `ago`, because lists show the newest ids first.
   */
  statement: string
}

/** Adds rows in batches. Each batch is one change set. */
export async function addRows(database: Database, owner: string, { plural, count, createRow, statement }: RowsToAdd): Promise<void> {
  for (let done = 0; done < count; done += maxRowsPerBatch) {
    const rows = Array.from({ length: Math.min(maxRowsPerBatch, count - done) }, (_, index) => createRow(done + index))
    await database.transaction({ ...callerFor(owner), timeoutMs: 120_000 }, `Added ${rows.length} ${plural}`, () =>
      sql(statement, [owner, JSON.stringify(rows)]),
    )
  }
}

/**
 * Returns the entry of a list for the row with this index. From row to row the place in the list moves by `step`, and every `list.length`
 * rows by one more. Lists that are read with different steps combine in different ways from row to row.
 */
export const pick = (list: readonly string[], index: number, { step }: { step: number }): string =>
  list[(index * step + Math.floor(index / list.length)) % list.length] ?? ''

/** Returns the age of a row in seconds: 0 for the last row, almost twelve weeks for the first. */
export const secondsAgo = (index: number, count: number): number => Math.round(((count - 1 - index) / count) * demoDays * 86_400)
