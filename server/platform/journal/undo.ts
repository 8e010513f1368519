// Undoes a change set, or restores one of its rows. A change set is what one transaction wrote, and has a journal line for each row that it
// changed. A change group has the change sets of one job. The number of statements of an undo does not depend on the number of rows.
import { sql } from '#server/platform/database/database.ts'
import { errorCode, errorHint } from '#server/platform/error-code.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { lockHistory } from './lock.ts'
import { collectNetEffect } from './undo/net.ts'
import { lockRows, skipEdited } from './undo/edited.ts'
import { openUndoState } from './undo/state.ts'
import { removeRows } from './undo/remove.ts'
import { skipWithoutParent, restoreRows } from './undo/restore.ts'
import { revertColumns } from './undo/revert.ts'

/**
 * `changeId`: the change set or change group of the undo. `isGroup`: what is undone is a change group, or a change group has deleted the
 * row that is restored. Then no row was written yet, and the caller must undo the change sets of the group one by one with
 * `undoNextOfGroup`.
 */
export type UndoResult = { changeId: string; isGroup: boolean }

/**
 * The result of the SQL functions that start an undo or a restore. `source`: the change set that is undone, or that deleted the row to
 * restore. `refusal`: the error code if nothing can be undone or restored, otherwise null.
 */
type UndoStart = {
  changeId: string
  source: string
  isGroup: boolean
  refusal: 'not_found' | 'already_undone' | 'too_old' | 'nothing_left' | null
}

/** The undo of a change set with at least 100 journal lines is a large transaction. */
const minLinesOfLargeUndo = 100

/** Returns whether the undo of a change set is a large transaction. */
export async function isLargeUndo(changeId: string): Promise<boolean> {
  const [row] = await sql<{ count: number }>(
    `select count(*) as count from (select from journal where change = $1 limit ${minLinesOfLargeUndo}) lines`,
    [changeId],
  )
  return row?.count === minLinesOfLargeUndo
}

/**
 * Undoes a change set of the owner, column by column. Columns and rows that were edited since are skipped. Must be the first write of its
 * transaction. The undo of an undo is a redo. `group`: the id of the undo of a change group, if this undo is a part of it; skipped rows are
 * then listed under this id. Throws `not_found`, `already_undone` or `too_old`; `nothing_left` if the change set changed no rows or its
 * rows were erased; `undo_blocked` if the old values violate a constraint.
 */
export async function undo(changeId: string, group?: string): Promise<UndoResult> {
  const undoStart = await lockAndOpen<UndoStart>(
    'select change as "changeId", $1::uuid as source, is_group as "isGroup", refusal from app.open_undo($1)',
    changeId,
  )
  return undoStart?.isGroup ? { changeId: undoStart.changeId, isGroup: true } : revertNetEffect(undoStart, { group })
}

/**
 * Restores a deleted row of the owner, and the rows that were deleted or unlinked with it by cascade. Must be the first write of its
 * transaction. Restores nothing yet if a change group has deleted the row (`isGroup` of the result). Throws `not_found` if the row is not
 * in the trash or was erased, `too_old`, or `undo_blocked`.
 */
export async function restore(row: string): Promise<UndoResult> {
  const undoStart = await lockAndOpen<UndoStart>(
    'select change as "changeId", source, is_group as "isGroup", refusal from app.open_restore($1)',
    row,
  )
  return undoStart?.isGroup ? { changeId: undoStart.changeId, isGroup: true } : revertNetEffect(undoStart, { onlyRow: row })
}

/**
 * Restores what the change set `source` of a change group has deleted or unlinked together with the row `onlyRow`: the row itself, and rows
 * that depend on it or on rows that were restored before. `group`: the id of the restore, whose earlier transactions restored these rows.
 * Must be the first write of its transaction.
 */
export async function restoreDependents(source: string, { onlyRow, group }: { onlyRow: string; group: string }): Promise<void> {
  const undoStart = await lockAndOpen<{ changeId: string }>('select app.open_partial_restore($1) as "changeId"', source)
  await revertNetEffect(undoStart && { ...undoStart, source, isGroup: false, refusal: null }, { onlyRow, group })
}

/** Locks the history, then runs the statement that starts an undo or a restore. Returns the first row of its result. */
async function lockAndOpen<Row extends Record<string, unknown>>(text: string, id: string): Promise<Row | undefined> {
  // the statements of a batch run in this order, so the lock is taken first
  const results = await Promise.all([lockHistory(), useReserve(), sql<Row>(text, [id])])
  const [firstRow] = results[2]
  return firstRow
}

/** Lets the transaction use the part of the quota that is reserved for undo, so that the last delete of a full account can be undone. */
const useReserve = (): Promise<unknown> => sql(`select set_config('app.is_undo', 'on', true)`)

/**
 * Reverts the net effect of the change set `source`: all rows, or only `onlyRow` and the rows that were deleted or unlinked with it.
 * `group`: the id of the undo or restore of a change group, if `source` is undone or restored as a part of it.
 */
async function revertNetEffect(
  undoStart: UndoStart | undefined,
  { onlyRow, group }: { onlyRow?: string; group?: string | undefined },
): Promise<UndoResult> {
  if (!undoStart || undoStart.refusal) throw new Refusal(undoStart?.refusal ?? 'not_found')
  const { changeId, source } = undoStart
  const state = await openUndoState({ source, listedUnder: group ?? changeId })
  const hasEffect = await collectNetEffect(state, onlyRow === undefined ? undefined : { row: onlyRow, group })
  // the undo of a group continues with the next change set instead of failing
  if (!hasEffect && !group) throw new Refusal(onlyRow === undefined ? 'nothing_left' : 'not_found')
  await lockRows(state)
  await skipEdited(state)
  await skipWithoutParent(state)
  await refuseViolations(async () => {
    await revertColumns(state, 'links') // links are reverted first, so that no row refers to a row that is deleted next
    await removeRows(state)
    await revertColumns(state, 'values')
    await restoreRows(state)
    await sql('set constraints all immediate')
  })
  if (state.skippedCount > 0 && !group) await sql('select app.count_skipped_rows($1)', [changeId])
  return { changeId, isGroup: false }
}

/**
 * Runs the work. Throws `undo_blocked` if it violates a constraint (error codes of PostgreSQL that begin with 23). The hint of a trigger's
 * error is a sentence for the user.
 */
async function refuseViolations(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!errorCode(error).startsWith('23')) throw error
    const hint = errorHint(error)
    throw new Refusal('undo_blocked', hint === '' ? {} : { fields: { id: hint } }, error)
  }
}
