import { maxSkippedInChange, type SkippedRow } from '#contract/changes.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { readCursor } from '#server/platform/database/cursor.ts'
import { readSkippedRows } from '#server/platform/journal/history.ts'
import { undoNextOfGroup } from '#server/platform/journal/groups.ts'
import { undo } from '#server/platform/journal/undo.ts'

export type UndoneChange = { changeId: string; skipped: SkippedRow[] }

/** Undoes a change set in its own transaction, or a whole change group. Returns the change set of the undo and all rows that it skipped. */
export async function undoChange(database: Database, caller: Caller, source: string): Promise<UndoneChange> {
  const { changeId, isGroup } = await database.transaction(caller, 'Undone', () => undo(source))
  let isFinished = !isGroup
  while (!isFinished) isFinished = (await undoNextOfGroup(database, caller, changeId)).isFinished
  return { changeId, skipped: await readAllSkippedRows(database, caller, changeId) }
}

/** Reads all pages of the rows that an undo skipped. */
export async function readAllSkippedRows(database: Database, caller: Caller, changeId: string): Promise<SkippedRow[]> {
  const rows: SkippedRow[] = []
  let after: string | undefined
  do {
    const page = await database.read(caller, () => readSkippedRows(caller.owner, changeId, readCursor(after), maxSkippedInChange))
    rows.push(...page.rows)
    after = page.next ?? undefined
  } while (after)
  return rows
}
