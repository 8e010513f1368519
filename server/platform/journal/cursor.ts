import { writeCursor, type Cursor } from '#server/platform/database/cursor.ts'
import { Refusal } from '#server/platform/refusal.ts'

/** A line of the journal: the change set, the statement in it, the row of that. */
export type Line = { change: string; step: number; line: number }

/** The opaque end of a page that has more behind it, else null. `rows` holds one more than fits the page when there is more. */
export function endOf(rows: Line[], limit: number): string | null {
  const last = rows[limit - 1]
  return last && rows.length > limit ? writeCursor([`${last.step}.${last.line}`, last.change]) : null
}

/** The line that a page ended with. Throws `invalid` for the cursor of another list. */
export function lineOf(cursor: Cursor | undefined): Line | undefined {
  if (!cursor) return undefined
  const [, step, line] = /^(\d{1,15})\.(\d{1,9})$/.exec(cursor[0]) ?? []
  if (!step || !line) throw new Refusal('invalid', { fields: { after: 'This is not the end of a page' } })
  return { change: cursor[1], step: Number(step), line: Number(line) }
}
