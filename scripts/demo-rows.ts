import { sql, type Database } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'

const batch = 5000

/** What a demo holds was added over so many days, up to now. */
const demoDays = 83

type Rows = {
  /** "contacts": what the change is called. */
  many: string
  count: number
  row: (number: number) => object
  /** Takes the owner as $1 and the rows as JSON in $2. */
  statement: string
}

/** Adds rows in batches, each of them a change. */
export async function addRows(database: Database, owner: string, { many, count, row, statement }: Rows): Promise<void> {
  for (let done = 0; done < count; done += batch) {
    const rows = Array.from({ length: Math.min(batch, count - done) }, (_, index) => row(done + index))
    await database.transaction({ ...callerFor(owner), timeoutMs: 120_000 }, `Added ${rows.length} ${many}`, () =>
      sql(statement, [owner, JSON.stringify(rows)]),
    )
  }
}

/** An entry of the list. Steps without a common divisor let several lists meet in ever new ways. */
export const pick = (list: readonly string[], number: number, step: number): string =>
  list[(number * step + Math.floor(number / list.length)) % list.length] ?? ''

/** How long before now a row was added, in seconds: the last one just now, the first almost twelve weeks ago. */
export const secondsAgo = (number: number, count: number): number => Math.round(((count - 1 - number) / count) * demoDays * 86_400)
