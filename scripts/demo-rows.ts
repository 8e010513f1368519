import { sql, type Database } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'

const batchRows = 5000

/** The rows' creation times are spread over this many days up to now. */
const demoDays = 83

type Rows = {
  /** The word in the label of the change, for example "contacts". */
  plural: string
  count: number
  row: (number: number) => object
  /** SQL with the owner as $1 and the rows as JSON in $2. */
  statement: string
}

/** Adds rows in batches. Each batch is one change set. */
export async function addRows(database: Database, owner: string, { plural, count, row, statement }: Rows): Promise<void> {
  for (let done = 0; done < count; done += batchRows) {
    const rows = Array.from({ length: Math.min(batchRows, count - done) }, (_, index) => row(done + index))
    await database.transaction({ ...callerFor(owner), timeoutMs: 120_000 }, `Added ${rows.length} ${plural}`, () =>
      sql(statement, [owner, JSON.stringify(rows)]),
    )
  }
}

/** Returns an entry of the list. Use different steps for different lists, so that their entries combine in different ways. */
export const pick = (list: readonly string[], number: number, step: number): string =>
  list[(number * step + Math.floor(number / list.length)) % list.length] ?? ''

/** Returns the age of a row in seconds: 0 for the last row, almost twelve weeks for the first. */
export const secondsAgo = (number: number, count: number): number => Math.round(((count - 1 - number) / count) * demoDays * 86_400)
