// Undo of a change set, and restore of one row out of it: the net effect, backwards, in a bounded number of statements for any number of rows.
import type { SkippedRow } from '#contract/changes.ts'
import { sql } from '#server/platform/database/database.ts'
import { errorCode } from '#server/platform/error-code.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { lockHistory } from './lock.ts'
import { collectNet } from './undo/net.ts'
import { lockRows, noteEdited } from './undo/edited.ts'
import { openPlan } from './undo/plan.ts'
import { removeRows } from './undo/remove.ts'
import { noteOrphans, returnRows } from './undo/return.ts'
import { revertColumns } from './undo/revert.ts'

/** The change set that the undo itself is, and what it left as it was, with the reason. */
export type Undone = { change: string; kept: SkippedRow[] }

type Opened = { change: string; source: string; refusal: 'not_found' | 'already_undone' | 'too_old' | null }

/** From how many rows on an undo is no small thing. */
const manyRows = 100

/** Did a change set of the owner write many rows? */
export async function wroteMany(change: string): Promise<boolean> {
  const [found] = await sql<{ count: number }>(
    `select count(*) as count from (select from journal where change = $1 limit ${manyRows}) lines`,
    [change],
  )
  return found?.count === manyRows
}

/**
 * Takes a change set of the owner back, column by column: what was edited since stays and is listed. Runs as the first change of a
 * transaction. Undoing the undo does it again. Throws `not_found`, `already_undone`, `too_old`, or `undo_blocked` when something else
 * has taken the place of what would come back.
 */
export async function undo(change: string): Promise<Undone> {
  const [, [opened]] = await Promise.all([
    lockHistory(),
    sql<Opened>('select change, $1::uuid as source, refusal from app.open_undo($1)', [change]),
  ])
  return takeBack(opened)
}

/**
 * Brings one deleted row of the owner back, with what fell with it and the links that were cleared by it. Runs as the first change of a
 * transaction. Throws `not_found` when the row is not in the trash, `too_old`, or `undo_blocked`.
 */
export async function restore(row: string): Promise<Undone> {
  const [, [opened]] = await Promise.all([lockHistory(), sql<Opened>('select change, source, refusal from app.open_restore($1)', [row])])
  return takeBack(opened, row)
}

async function takeBack(opened: Opened | undefined, onlyRow?: string): Promise<Undone> {
  if (!opened || opened.refusal) throw new Refusal(opened?.refusal ?? 'not_found')
  const { change, source } = opened
  const plan = await openPlan(source)
  await collectNet(plan, onlyRow)
  await lockRows(plan)
  await noteEdited(plan)
  await noteOrphans(plan)
  await refusingTakenPlaces(async () => {
    await revertColumns(plan, 'links') // so that nothing hangs on a row that will go
    await removeRows(plan)
    await revertColumns(plan, 'values')
    await returnRows(plan)
    await sql('set constraints all immediate')
  })
  await sql('select app.close_undo($1)', [JSON.stringify(plan.kept)])
  return { change, kept: plan.kept }
}

/** A key that is taken or a rule that came later refuses the whole undo. */
async function refusingTakenPlaces(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw errorCode(error).startsWith('23') ? new Refusal('undo_blocked', {}, error) : error
  }
}
