import { maxSkippedInChange, type SkippedRow } from '#contract/changes.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { readCursor } from '#server/platform/database/cursor.ts'
import { skippedRows } from '#server/platform/journal/history.ts'
import { undoNextOfGroup } from '#server/platform/journal/groups.ts'
import { undo } from '#server/platform/journal/undo.ts'

export type UndoneChange = { change: string; skipped: SkippedRow[] }

/** Undoes a change in a separate transaction, or a whole change group. Returns the change set of the undo and all rows that it skipped. */
export async function undoChange(database: Database, caller: Caller, undone: string): Promise<UndoneChange> {
  const { change, isGroup } = await database.transaction(caller, 'Undone', () => undo(undone))
  while (isGroup && !(await undoNextOfGroup(database, caller, change)).isFinished);
  return { change, skipped: await readAllSkippedRows(database, caller, change) }
}

export async function readAllSkippedRows(database: Database, caller: Caller, change: string): Promise<SkippedRow[]> {
  const all: SkippedRow[] = []
  let after: string | undefined
  do {
    const page = await database.read(caller, () => skippedRows(caller.owner, change, readCursor(after), maxSkippedInChange))
    all.push(...page.rows)
    after = page.next ?? undefined
  } while (after)
  return all
}
