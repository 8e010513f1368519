import { writeCursor, type Cursor } from '#server/platform/database/cursor.ts'
import { Refusal } from '#server/platform/refusal.ts'

/** The key of a journal line: the change set, the statement (`step`) in the change set, and the row (`line`) in the statement. */
export type JournalPosition = { change: string; step: number; line: number }

/**
 * Returns the cursor of the next page, null on the last page. Its first part is `step.line`, its second part is the change set. `rows` has
 * one row more than `limit` if there is a next page.
 */
export function createNextCursor(rows: JournalPosition[], limit: number): string | null {
  const last = rows[limit - 1]
  return last && rows.length > limit ? writeCursor([`${last.step}.${last.line}`, last.change]) : null
}

/** Returns the journal line after which the next page starts. Throws `invalid` for the cursor of another list. */
export function readPosition(cursor: Cursor | undefined): JournalPosition | undefined {
  if (!cursor) return undefined
  const [, step, line] = /^(\d{1,15})\.(\d{1,9})$/.exec(cursor[0]) ?? []
  if (!step || !line) throw new Refusal('invalid', { fields: { after: 'This is not a valid page cursor' } })
  return { change: cursor[1], step: Number(step), line: Number(line) }
}
