import { beforeAll, expect, test } from 'vitest'
import { createLinkedTables } from '#server/testing/linked-tables.ts'
import { readAllSkippedRows, undoChange } from '#server/testing/undo.ts'
import { openWorkspace, type Workspace } from '#server/testing/workspace.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { closeGroup, GroupFinished, inGroup, openGroup, undoNextOfGroup } from './groups.ts'
import { describeChange, readRecentChanges, readTimeline } from './history.ts'
import { undo } from './undo.ts'

// A change group combines the transactions of one job into one change. `workspace.change` runs a transaction outside of a group and returns
// the id of its change set. An undo lists a row as `blocked` if its old values violate a constraint.

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
  await createLinkedTables(workspace.tableOwner)
  return workspace.stop
})

/** Imports one person for each email, each in its own transaction of a change group, and finishes the group. */
async function importPeople(caller: Caller, emails: (string | null)[]): Promise<{ group: string; ids: string[] }> {
  const group = await openGroup(workspace.database, caller, { label: 'Importing people', total: emails.length })
  const ids: string[] = []
  for (const email of emails) {
    const id = newId()
    await addPerson(caller, group, id, email)
    ids.push(id)
  }
  await closeGroup(workspace.database, caller, group, `Imported ${emails.length} people`)
  return { group, ids }
}

const addPerson = (caller: Caller, group: string, id: string, email: string | null = null) =>
  inGroup(workspace.database, caller, { group, label: 'Imported' }, () =>
    sql(`insert into test_people (id, first_name, email) values ($1, 'Ada', $2)`, [id, email]),
  )

/** Undoes all change sets of a group. Undoing an undo is a redo. */
const undoGroup = (caller: Caller, group: string) => undoChange(workspace.database, caller, group)

/**
 * Starts the undo of a group, undoes `count` of its change sets, and leaves the undo unfinished. Returns the id of the undo. If the group
 * is itself an undo, this starts its redo.
 */
async function startUndo(caller: Caller, group: string, count: number): Promise<string> {
  const { changeId } = await workspace.database.transaction(caller, 'Undone', () => undo(group))
  for (let done = 0; done < count; done++) await undoNextOfGroup(workspace.database, caller, changeId)
  return changeId
}

const readPeople = async (caller: Caller): Promise<string[]> =>
  (await read(caller, () => sql<{ id: string }>('select id from test_people'))).map(({ id }) => id)
const countPeople = async (caller: Caller): Promise<number> => (await read(caller, () => sql('select from test_people'))).length
/** Runs the work in a read of this user. */
const read = <T>(caller: Caller, work: () => Promise<T>): Promise<T> => workspace.database.read(caller, work)
/** Reads the description of a change set or of a group from the history. */
const readChange = (caller: Caller, changeId: string) => read(caller, () => describeChange(caller.owner, changeId))

test('a group is one change in the history, which shows its progress, and one change in the timeline of a record', async () => {
  const caller = await workspace.newOwner()
  const { group, ids } = await importPeople(caller, [null, null, null])
  expect(await read(caller, () => readRecentChanges(caller.owner, 10))).toMatchObject([
    { change: group, label: 'Imported 3 people', id: ids[0], progress: { done: 3, total: 3, finished: true } },
  ])
  expect(await readChange(caller, group)).toMatchObject({ label: 'Imported 3 people', count: 3, undone: false })
  const { rows } = await read(caller, () => readTimeline(caller.owner, ids[1] ?? '', undefined, 10))
  expect(rows).toMatchObject([{ change: group, label: 'Imported 3 people', operation: 'created' }])
})

test('one undo reverts all transactions of a group, and one redo repeats all of them', async () => {
  const caller = await workspace.newOwner()
  const { group } = await importPeople(caller, [null, null, null, null])
  const undoResult = await undoGroup(caller, group)
  expect([await countPeople(caller), undoResult.skipped]).toEqual([0, []])
  expect(await readChange(caller, undoResult.changeId)).toMatchObject({
    label: 'Undone: Imported 4 people',
    count: 4,
    progress: { done: 4, total: 4, finished: true },
  })
  expect(await readChange(caller, group)).toMatchObject({ undone: true })
  await expect(undoGroup(caller, group)).rejects.toMatchObject({ code: 'already_undone' })
  const redoResult = await undoGroup(caller, undoResult.changeId)
  expect(await countPeople(caller)).toBe(4)
  expect(await readChange(caller, redoResult.changeId)).toMatchObject({ label: 'Redone: Imported 4 people' })
  const labels = (await read(caller, () => readRecentChanges(caller.owner, 10))).map(({ label, reversal }) => [label, reversal])
  expect(labels).toEqual([
    ['Redone: Imported 4 people', 'redo'],
    ['Undone: Imported 4 people', 'undo'],
    ['Imported 4 people', null],
  ])
})

test('rows that were edited after the change or cannot be undone are skipped and listed under the undo of the group', async () => {
  const caller = await workspace.newOwner()
  const { group, ids } = await importPeople(caller, [null, 'ada@x.test', null])
  await workspace.change(caller, 'Edited', () => sql(`update test_people set city = 'Rome' where id = $1`, [ids[0]]))
  const undoResult = await undoGroup(caller, group)
  expect(undoResult.skipped).toEqual([{ table: 'test_people', id: ids[0], why: 'edited' }])
  await workspace.change(caller, 'Added', () => sql(`insert into test_people (email) values ('ADA@x.test')`)) // emails are unique
  const redoResult = await undoGroup(caller, undoResult.changeId)
  expect(redoResult.skipped).toEqual([{ table: 'test_people', id: ids[1], why: 'blocked' }])
  expect(await readChange(caller, redoResult.changeId)).toMatchObject({ skipped_counts: { blocked: 1 }, count: 1 })
  expect(await countPeople(caller)).toBe(3)
})

test('if a transaction cannot be undone, the rows that it unlinked by cascade are listed too', async () => {
  const caller = await workspace.newOwner()
  const [company, person] = [newId(), newId()]
  const addCompany = (id: string) => sql(`insert into test_companies (id, title, domain) values ($1, 'Engines', 'engines.test')`, [id])
  await workspace.change(caller, 'Added', async () => {
    await addCompany(company)
    await sql('insert into test_people (id, company_id) values ($1, $2)', [person, company])
  })
  const group = await openGroup(workspace.database, caller, { label: 'Deleting' })
  await inGroup(workspace.database, caller, { group, label: 'Deleted' }, () => sql('delete from test_companies'))
  await closeGroup(workspace.database, caller, group)
  await workspace.change(caller, 'Added', () => addCompany(newId())) // domains are unique, so the first company cannot come back
  const { skipped } = await undoGroup(caller, group)
  expect(new Set(skipped.map(({ id, why }) => `${id} ${why}`))).toEqual(new Set([`${company} blocked`, `${person} blocked`]))
})

test('the undo of a group does nothing for a transaction that was undone before, and undoes a transaction that was redone', async () => {
  const caller = await workspace.newOwner()
  const group = await openGroup(workspace.database, caller, { label: 'Importing' })
  const changes: string[] = []
  for (const id of [newId(), newId()]) {
    await addPerson(caller, group, id)
    changes.push(await findChangeOf(caller, id))
  }
  const [first = '', second = ''] = changes
  await undoChange(workspace.database, caller, first)
  const undoOfSecond = await undoChange(workspace.database, caller, second)
  await undoChange(workspace.database, caller, undoOfSecond.changeId) // redoes the second transaction
  expect(await countPeople(caller)).toBe(1)
  expect((await undoGroup(caller, group)).skipped).toEqual([])
  expect(await countPeople(caller)).toBe(0)
})

test('after the undo of an unfinished group, the job of the group can write nothing more', async () => {
  const caller = await workspace.newOwner()
  const group = await openGroup(workspace.database, caller, { label: 'Importing' })
  await addPerson(caller, group, newId())
  const { changeId } = await workspace.database.transaction(caller, 'Undone', () => undo(group))
  await expect(addPerson(caller, group, newId())).rejects.toThrow(GroupFinished)
  expect(await countPeople(caller)).toBe(1)
  expect(await readChange(caller, changeId)).toMatchObject({ progress: { done: 0, total: 1, finished: false } })
  expect(await undoNextOfGroup(workspace.database, caller, changeId)).toMatchObject({ isFinished: false })
  expect(await undoNextOfGroup(workspace.database, caller, changeId)).toEqual({ isFinished: true })
  expect(await countPeople(caller)).toBe(0)
})

test('a redo of a group whose undo is not finished ends the undo and restores what the undo had reverted', async () => {
  const caller = await workspace.newOwner()
  const { group } = await importPeople(caller, [null, null, null])
  const { changeId } = await workspace.database.transaction(caller, 'Undone', () => undo(group))
  await undoNextOfGroup(workspace.database, caller, changeId)
  const redoResult = await undoGroup(caller, changeId)
  expect(await countPeople(caller)).toBe(3)
  expect(await undoNextOfGroup(workspace.database, caller, changeId)).toEqual({ isFinished: true })
  expect(await readAllSkippedRows(workspace.database, caller, redoResult.changeId)).toEqual([])
})

test('after an interrupted undo and its redo, an undo reverts the whole group, and a redo repeats all of it', async () => {
  const caller = await workspace.newOwner()
  const { group, ids } = await importPeople(caller, [null, null, null, null])
  const interruptedUndo = await startUndo(caller, group, 1)
  const redoResult = await undoGroup(caller, interruptedUndo)
  const undoResult = await undoGroup(caller, redoResult.changeId)
  expect([await countPeople(caller), undoResult.skipped]).toEqual([0, []])
  expect(await readChange(caller, undoResult.changeId)).toMatchObject({ count: 4, progress: { done: 4, total: 4, finished: true } })
  // redoes two people, the oldest first, because the undo reverted the oldest last
  const interruptedRedo = await startUndo(caller, undoResult.changeId, 2)
  expect((await readPeople(caller)).toSorted()).toEqual(ids.slice(0, 2).toSorted())
  // the undo of this redo removes one of the two people
  const secondUndo = await startUndo(caller, interruptedRedo, 1)
  expect(await readPeople(caller)).toEqual(ids.slice(0, 1))
  await undoGroup(caller, secondUndo) // a redo, which also restores the people that the interrupted redo has not restored
  expect(await countPeople(caller)).toBe(4)
})

test('the undo of the redo of a group does not revert a transaction that was undone and redone outside of the group', async () => {
  const caller = await workspace.newOwner()
  // the first transaction is undone before the group, so the undo of the group, the redo of the group and the undo of this redo change
  // nothing in it
  const { group, ids } = await importPeople(caller, [null, null])
  const undoOfFirst = await undoChange(workspace.database, caller, await findChangeOf(caller, ids[0] ?? ''))
  const undoOfGroup = await undoGroup(caller, group)
  const redoOfGroup = await undoGroup(caller, undoOfGroup.changeId)
  await undoChange(workspace.database, caller, undoOfFirst.changeId) // redoes the first transaction alone
  await undoGroup(caller, redoOfGroup.changeId)
  expect(await readPeople(caller)).toEqual(ids.slice(0, 1))
})

test('a group of another owner cannot be joined, read or undone', async () => {
  const [caller, stranger] = [await workspace.newOwner(), await workspace.newOwner()]
  const { group } = await importPeople(caller, [null])
  // for the stranger there is no unfinished group with this id
  await expect(addPerson(stranger, group, newId())).rejects.toThrow(GroupFinished)
  await expect(readChange(stranger, group)).rejects.toMatchObject({ code: 'not_found' })
  await expect(undoGroup(stranger, group)).rejects.toMatchObject({ code: 'not_found' })
})

/** Returns the change set that added a row. */
async function findChangeOf(caller: Caller, row: string): Promise<string> {
  const [line] = await read(caller, () => sql<{ change: string }>('select change from journal where row_id = $1', [row]))
  return line?.change ?? ''
}
