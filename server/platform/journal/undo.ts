// Undo of a change set, and restore of one of its rows: reverts the net effect in a bounded number of statements for any number of rows.
import { sql } from '#server/platform/database/database.ts'
import { errorCode } from '#server/platform/error-code.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { lockHistory } from './lock.ts'
import { collectNet } from './undo/net.ts'
import { lockRows, skipEdited } from './undo/edited.ts'
import { openPlan } from './undo/plan.ts'
import { removeRows } from './undo/remove.ts'
import { skipWithoutParent, returnRows } from './undo/return.ts'
import { revertColumns } from './undo/revert.ts'

/** The change set of the undo itself. What it left as it was stands in `skipped_rows`. `isGroup`: it is the undo of a change group, opened and not done yet. */
export type Undone = { change: string; isGroup: boolean }

type Opened = { change: string; source: string; isGroup: boolean; refusal: 'not_found' | 'already_undone' | 'too_old' | null }

/** An undo of at least so many rows counts as a large transaction. */
const minRowsOfLarge = 100

/** Whether a change set of the owner wrote so many rows that its undo is a large transaction. */
export async function isLargeChange(change: string): Promise<boolean> {
  const [found] = await sql<{ count: number }>(
    `select count(*) as count from (select from journal where change = $1 limit ${minRowsOfLarge}) lines`,
    [change],
  )
  return found?.count === minRowsOfLarge
}

/**
 * Undoes a change set of the owner, column by column; what was edited since is skipped. Must be the first write of its transaction.
 * Undoing the undo is a redo. Throws `not_found`, `already_undone`, `too_old`, or `undo_blocked` when a unique value or a constraint
 * refuses the old values. With `group`, the undo of a change group, skipped rows are listed there.
 */
export async function undo(change: string, group?: string): Promise<Undone> {
  const [, [opened]] = await Promise.all([
    lockHistory(),
    sql<Opened>('select change, $1::uuid as source, is_group as "isGroup", refusal from app.open_undo($1)', [change]),
  ])
  return opened?.isGroup ? { change: opened.change, isGroup: true } : revertNet(opened, { group })
}

/**
 * Restores one deleted row of the owner, with what the delete removed or unlinked by cascade. Must be the first write of its
 * transaction. Throws `not_found` when the row is not in the trash, `too_old`, or `undo_blocked`.
 */
export async function restore(row: string): Promise<Undone> {
  const [, [opened]] = await Promise.all([
    lockHistory(),
    sql<Opened>('select change, source, false as "isGroup", refusal from app.open_restore($1)', [row]),
  ])
  return revertNet(opened, { onlyRow: row })
}

async function revertNet(
  opened: Opened | undefined,
  { onlyRow, group }: { onlyRow?: string; group?: string | undefined },
): Promise<Undone> {
  if (!opened || opened.refusal) throw new Refusal(opened?.refusal ?? 'not_found')
  const { change, source } = opened
  const plan = await openPlan({ source, listedUnder: group ?? change })
  await collectNet(plan, onlyRow)
  await lockRows(plan)
  await skipEdited(plan)
  await skipWithoutParent(plan)
  await refusingViolations(async () => {
    await revertColumns(plan, 'links') // first, so that no row refers to one that is deleted next
    await removeRows(plan)
    await revertColumns(plan, 'values')
    await returnRows(plan)
    await sql('set constraints all immediate')
  })
  if (plan.skippedCount > 0 && !group) await sql('select app.count_skipped_rows($1)', [change])
  return { change, isGroup: false }
}

/** Turns a violated constraint into `undo_blocked`, which refuses the whole undo. */
async function refusingViolations(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw errorCode(error).startsWith('23') ? new Refusal('undo_blocked', {}, error) : error
  }
}
