// Change groups: many transactions of one job are one change of the history, with progress, one undo and one redo.
import { sql, type Database } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { isLargeChange, undo } from './undo.ts'

/** Thrown by a transaction that joins a finished group: somebody undoes it, and the job that fills it must end. */
export class GroupFinished extends Error {
  override name = 'GroupFinished'
}

type GroupTransaction = { group: string; label: string; steps?: number }

/**
 * Opens a group in a transaction of its own. Returns its id, which is that of the change that stands for it. `total`: the steps of the
 * whole job, where they are known.
 */
export const openGroup = (database: Database, caller: Caller, { label, total }: { label: string; total?: number }): Promise<string> =>
  database.transaction(caller, label, async () => {
    const [opened] = await sql<{ id: string }>('select app.open_group($1) as id', [total ?? null])
    return opened?.id ?? ''
  })

/**
 * A transaction whose change set joins the group and adds `steps` to its progress. The transactions of one group run one after the other.
 * Throws `GroupFinished`, and has written nothing, when the group is finished.
 */
export const inGroup = <T>(
  database: Database,
  caller: Caller,
  { group, label, steps = 1 }: GroupTransaction,
  work: () => Promise<T>,
): Promise<T> =>
  database.transaction(caller, label, async () => {
    const result = await work()
    await joinGroup(group, steps)
    return result
  })

/** Finishes a group. `label` replaces its label: "Imported 5,000 contacts". */
export const closeGroup = (database: Database, caller: Caller, group: string, label?: string): Promise<void> =>
  database.transaction(caller, '', async () => {
    await sql('select app.close_group($1, $2)', [group, label ?? null])
  })

/** One step of the undo of a group: the change set that it undid, if it did, and whether it was the last step. */
type UndoStep = { undone?: string; isFinished: boolean }

/**
 * Undoes the next change set of the group that `group` is the undo of, from the newest to the oldest. What cannot be undone is skipped and
 * listed. Does the step once, however often it is tried: the position is committed with it.
 */
export async function undoNextOfGroup(database: Database, caller: Caller, group: string): Promise<UndoStep> {
  const next = await database.read(caller, () => findNext(caller.owner, group))
  if (!next) {
    await closeGroup(database, caller, group)
    return { isFinished: true }
  }
  const isLarge = await database.read(caller, () => isLargeChange(next.newest))
  const undoMember = async (): Promise<void> => {
    if (next.isApplied) await undo(next.newest, group)
    await passMember(group, next.member)
  }
  try {
    await database.longTransaction(caller, 'Undone', isLarge ? 'large' : 'small', undoMember)
    return { undone: next.newest, isFinished: false }
  } catch (error) {
    if (error instanceof GroupFinished) return { isFinished: true }
    if (!(error instanceof Refusal) || !['undo_blocked', 'too_old'].includes(error.code)) throw error
  }
  await database.transaction(caller, 'Undone', () => skipMember(group, next))
  return { undone: next.newest, isFinished: false }
}

/** `newest`: the change set itself, or the last in its chain of undo and redo; it is applied when it is no undo of the change set. */
type Member = { member: string; newest: string; isApplied: boolean }

async function findNext(owner: string, group: string): Promise<Member | undefined> {
  const [next] = await sql<Member>(
    `with recursive next as (
       select m.id from change_groups g join changesets u on u.id = g.id join changesets m on m.user_id = $1 and m.group_id = u.undo_of
       where g.user_id = $1 and g.id = $2 and (g.undo_position is null or m.id < g.undo_position) order by m.id desc limit 1
     ), chain as (
       select id as member, id, 0 as depth from next
       union all
       select c.member, u.id, c.depth + 1 from chain c join changesets u on u.undo_of = c.id
     )
     select member, id as newest, depth % 2 = 0 as "isApplied" from chain order by depth desc limit 1`,
    [owner, group],
  )
  return next
}

async function skipMember(group: string, { member, newest }: Member): Promise<void> {
  await sql(
    `insert into skipped_rows (change_id, table_name, row_id, why)
     select distinct $1::uuid, table_name, row_id, 'blocked' from journal where change = $2 and not cascade`,
    [group, newest],
  )
  await passMember(group, member)
}

async function passMember(group: string, member: string): Promise<void> {
  await sql('update change_groups set undo_position = $2 where user_id = app.owner() and id = $1', [group, member])
  await joinGroup(group, 1)
}

async function joinGroup(group: string, steps: number): Promise<void> {
  const [joined] = await sql<{ joined: boolean }>('select app.join_group($1, $2) as joined', [group, steps])
  if (!joined?.joined) throw new GroupFinished('The group is finished')
}
