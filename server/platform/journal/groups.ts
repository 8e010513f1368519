// A change group combines the transactions of one job into one change in history, with progress, one undo and one redo.
import { sql, type Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { isLargeUndo, restoreDependents, undo } from './undo.ts'

/** Thrown when a transaction joins a finished group. The group was undone while its job was running, so the job must end. */
export class GroupFinished extends Error {
  override name = 'GroupFinished'
}

/**
 * `steps`: the number of steps of the job that the transaction completes, 1 by default. `isLarge`: the transaction waits in the queue of
 * large transactions.
 */
type GroupTransaction<T> = { group: string; label: string; steps?: number | ((result: T) => number); isLarge?: boolean }

/**
 * Opens a group in the open transaction, which writes nothing else. Returns the id of the group, which is also its id as a change in the
 * history. `total`: the number of steps of the job, if known. `isDelete`: the group deletes records, after the rows that depend on them.
 * The job must be added with the id of the group as its `key` (`enqueue`), because the group's progress uses this key to find out whether
 * the job has failed.
 */
export async function openGroupHere({ total, isDelete = false }: { total?: number | undefined; isDelete?: boolean }): Promise<string> {
  const [row] = await sql<{ id: string }>('select app.open_group($1, $2) as id', [total ?? null, isDelete])
  return row?.id ?? ''
}

/** Opens a group in its own transaction: see `openGroupHere`. */
export const openGroup = (database: Database, caller: Caller, { label, total }: { label: string; total?: number }): Promise<string> =>
  database.transaction(caller, label, () => openGroupHere({ total }))

/**
 * Runs a transaction whose change set joins the group and adds `steps` to its progress. The transactions of a group run one after the
 * other. If the group is finished, throws `GroupFinished` and writes nothing.
 */
export function inGroup<T>(
  database: Database,
  caller: Caller,
  { group, label, steps = 1, isLarge = false }: GroupTransaction<T>,
  work: () => Promise<T>,
): Promise<T> {
  const workInGroup = async (): Promise<T> => {
    const result = await work()
    await joinGroup(group, typeof steps === 'number' ? steps : steps(result))
    return result
  }
  return isLarge ? database.longTransaction(caller, label, 'large', workInGroup) : database.transaction(caller, label, workInGroup)
}

/** Finishes a group. `label` replaces the label of the group, such as "Imported 5,000 contacts". */
export const closeGroup = (database: Database, caller: Caller, group: string, label?: string): Promise<void> =>
  database.transaction(caller, '', async () => {
    await sql('select app.close_group($1, $2)', [group, label ?? null])
  })

/** The result of one step of the undo of a group. `undone`: the change set that the step undid or skipped, if there was one. */
type UndoStep = { undone?: string; isFinished: boolean }

/**
 * Undoes the next change set of a group; the newest is the first. `group` is the id of the undo, which is a change group too. Rows that
 * cannot be undone are skipped and listed. A retry does not repeat a step, because the position is committed together with the step.
 */
export async function undoNextOfGroup(database: Database, caller: Caller, group: string): Promise<UndoStep> {
  const next = await database.read(caller, () => findNext(caller.owner, group))
  if (!next) {
    await closeGroup(database, caller, group)
    return { isFinished: true }
  }
  const isLarge = await database.read(caller, () => isLargeUndo(next.newest))
  const { onlyRow } = next
  const undoMember = async (): Promise<void> => {
    if (next.isApplied && onlyRow === null) await undo(next.newest, group)
    if (next.isApplied && onlyRow !== null) await restoreDependents(next.newest, { onlyRow, group })
    // if `newest` is itself an undo, the rows that the original change wrote by cascade are marked again as written by cascade
    await sql('select app.repeat_cascades($1)', [next.newest])
    await moveUndoPosition(group, next.member)
  }
  try {
    await database.longTransaction(caller, onlyRow === null ? 'Undone' : 'Restored', isLarge ? 'large' : 'small', undoMember)
    return { undone: next.newest, isFinished: false }
  } catch (error) {
    if (error instanceof GroupFinished) return { isFinished: true }
    if (!(error instanceof Refusal) || !['undo_blocked', 'too_old', 'nothing_left'].includes(error.code)) throw error
  }
  await database.transaction(caller, 'Undone', () => skipMember(group, next))
  return { undone: next.newest, isFinished: false }
}

/**
 * A change set of a group (`member`). `newest`: the last undo or redo of `member`, or `member` itself if it has none. `isApplied`: `member`
 * was never undone or was redone since, so the rows still have the values that it wrote. `onlyRow`: only this row and its dependents are
 * restored.
 */
type Member = { member: string; newest: string; isApplied: boolean; onlyRow: string | null }

/**
 * Finds the next change set to undo. The column `undone_groups` has the groups that this undo reverts: usually one, but several if an
 * earlier undo or redo was interrupted. Then `app.has_later_member` is true for a change set whose undo or redo is in one of these groups
 * too, and only the latest of them is undone. SQL aliases: `g` is the group of the undo, `m` is a change set of a group, `u` is its undo or
 * redo. `chain` is the change set, its undo, the redo of this undo, and so on; an even depth is the change set itself or a redo.
 */
async function findNext(owner: string, group: string): Promise<Member | undefined> {
  const [next] = await sql<Member>(
    `with recursive next as (
       select m.id from change_groups g cross join unnest(g.undone_groups) undone (id) cross join lateral (
         select m.id from changesets m
         where m.user_id = $1 and m.group_id = undone.id and m.id < coalesce(g.undo_position, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
           and (cardinality(g.undone_groups) = 1 or not app.has_later_member(m.id, g.undone_groups))
         order by m.id desc limit 1
       ) m
       where g.user_id = $1 and g.id = $2 order by m.id desc limit 1
     ), chain as (
       select id as member, id, 0 as depth from next
       union all
       select c.member, u.id, c.depth + 1 from chain c join changesets u on u.undo_of = c.id
     )
     select member, id as newest, depth % 2 = 0 as "isApplied",
      (select g.only_row from change_groups g where g.user_id = $1 and g.id = $2) as "onlyRow"
    from chain order by depth desc limit 1`,
    [owner, group],
  )
  return next
}

/** Lists all rows of a change set that cannot be undone as skipped, and continues with the next one. */
async function skipMember(group: string, { member, newest }: Member): Promise<void> {
  await sql(
    `insert into skipped_rows (change_id, table_name, row_id, why)
     select distinct $1::uuid, table_name, row_id, 'blocked' from journal where change = $2`,
    [group, newest],
  )
  await moveUndoPosition(group, member)
}

/** Stores that `member` was undone or skipped. The next step continues with an older change set. */
async function moveUndoPosition(group: string, member: string): Promise<void> {
  await sql('update change_groups set undo_position = $2 where user_id = app.owner() and id = $1', [group, member])
  await joinGroup(group, 1)
}

/** Makes the open transaction a part of the group and adds to its progress. Throws `GroupFinished` if the group is finished. */
async function joinGroup(group: string, steps: number): Promise<void> {
  const [row] = await sql<{ hasJoined: boolean }>('select app.join_group($1, $2) as "hasJoined"', [group, steps])
  if (!row?.hasJoined) throw new GroupFinished('The group is finished')
}
