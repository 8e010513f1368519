import { sql, type Database } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'

const batchRows = 5000

/** The rows' creation times are spread over this many days up to now. */
const demoDays = 83

type Rows = {
  /** For the change's label, for example "contacts". */
  plural: string
  count: number
  row: (number: number) => object
  /** Takes the owner as $1 and the rows as JSON in $2. */
  statement: string
}

/** Adds rows in batches; each batch is a change of its own. */
export async function addRows(database: Database, owner: string, { plural, count, row, statement }: Rows): Promise<void> {
  for (let done = 0; done < count; done += batchRows) {
    const rows = Array.from({ length: Math.min(batchRows, count - done) }, (_, index) => row(done + index))
    await database.transaction({ ...callerFor(owner), timeoutMs: 120_000 }, `Added ${rows.length} ${plural}`, () =>
      sql(statement, [owner, JSON.stringify(rows)]),
    )
  }
}

/** An entry of the list. Lists that are read with different steps combine in different ways. */
export const pick = (list: readonly string[], number: number, step: number): string =>
  list[(number * step + Math.floor(number / list.length)) % list.length] ?? ''

/** How long before now a row was created, in seconds: 0 for the last row, almost twelve weeks for the first. */
export const secondsAgo = (number: number, count: number): number => Math.round(((count - 1 - number) / count) * demoDays * 86_400)
