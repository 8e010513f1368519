import { beforeAll, expect, test } from 'vitest'
import { createLinkedTables, linkedTables } from '#server/testing/linked-tables.ts'
import { openWorkspace, type Workspace } from '#server/testing/workspace.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { openGroup } from './groups.ts'
import { eraseAll, eraseRow } from './erase.ts'

// To erase means to delete a record in the trash for good, with its journal lines; a journal line is the change of one row. The tables
// test_people, test_notes, test_files and test_deals are linked: notes are deleted with their person, files with their note, and links of
// deals are cleared.

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
  await createLinkedTables(workspace.tableOwner)
  return workspace.stop
})

test('erasing a record deletes it, its children and their history, and nothing else', async () => {
  const caller = await addPeople() // the function stands below: the notes have the ids 11 to 13, and the file of note 13 has the id 21
  // Ada's note 11 is deleted before Ada, and note 12 moves to Charles, so that it is not erased with Ada
  await workspace.change(caller, 'Deleted 1 note', () => sql('delete from test_notes where id = $1', [toId(11)]))
  await workspace.change(caller, 'Moved 1 note', () => sql('update test_notes set person_id = $1 where id = $2', [charles, toId(12)]))
  await workspace.change(caller, 'Deleted 1 person', () => sql('delete from test_people where id = $1', [ada]))
  const changeId = await workspace.change(caller, 'Erased for good', () => eraseRow(ada))
  expect(await countJournalLines(caller, [ada, toId(11), toId(13), toId(21)])).toBe(0)
  expect(await query(caller, 'select id from test_notes')).toEqual([{ id: toId(12) }])
  expect(await countJournalLines(caller, [toId(12)])).toBe(2) // added and moved
  expect(await query(caller, 'select person_id, referrer_id from test_deals')).toEqual([{ person_id: null, referrer_id: charles }])
  expect(await query(caller, 'select label from changesets where id = $1', [changeId])).toEqual([{ label: 'Erased for good' }])
  await expect(workspace.change(caller, 'Erased for good', () => eraseRow(ada))).rejects.toMatchObject({ code: 'not_found' })
})

test('app.erase_row erases an existing record with its children, even if they are not in the journal', async () => {
  const caller = await addPeople()
  await workspace.tableOwner.query('delete from journal where user_id = $1', [caller.owner])
  await workspace.database.transaction(caller, 'Erased for good', async () => {
    expect(await sql(`select app.erase_row('test_people', $1) as count`, [ada])).toEqual([{ count: 5 }]) // Ada, three notes and a file
  })
  expect(await countJournalLines(caller, [ada, toId(11), toId(12), toId(13), toId(21)])).toBe(0)
  expect(await query(caller, 'select first_name from test_people')).toEqual([{ first_name: 'Charles' }])
  expect(await query(caller, 'select from test_notes')).toHaveLength(0)
})

test('eraseRow refuses existing records, and app.erase_row erases nothing of another owner and nothing in tables without an owner', async () => {
  const [caller, stranger] = [await addPeople(), await addPeople()]
  await expect(workspace.change(caller, 'Erased', () => eraseRow(ada))).rejects.toMatchObject({ code: 'not_found' })
  await workspace.change(caller, 'Deleted 2 people', () => sql('delete from test_people'))
  // the ids of both owners are the same, so this erases the stranger's Ada and keeps the caller's Ada in the trash
  await workspace.change(stranger, 'Erased', () => sql(`select app.erase_row('test_people', $1)`, [ada]))
  for (const table of ['users', 'changesets', 'pg_authid', 'test_people; drop table test_people']) {
    const erasure = workspace.change(stranger, 'Erased', () => sql('select app.erase_row($1, $2)', [table, caller.owner]))
    await expect(erasure, table).rejects.toThrow('Nothing was written') // the error of `workspace.change`
  }
  expect(await countJournalLines(stranger, [ada])).toBe(0)
  expect(await countJournalLines(caller, [ada])).toBe(2) // added and deleted
})

test('emptying the trash keeps existing records and their history', async () => {
  const [caller, stranger] = [await addPeople(), await addPeople()]
  for (const owner of [caller, stranger]) {
    await workspace.change(owner, 'Deleted 1 person', () => sql('delete from test_people where id = $1', [ada]))
    await workspace.change(owner, 'Added again', () =>
      sql(`insert into test_notes (id, person_id, body) values ($1, $2, 'Again')`, [toId(11), charles]),
    )
  }
  await workspace.database.transaction(caller, 'Erased for good', eraseAll)
  expect(await countJournalLines(caller, [ada, toId(12), toId(13), toId(21)])).toBe(0)
  expect(await countJournalLines(caller, [toId(11)])).toBe(3) // added, deleted with Ada, added again
  expect(await countJournalLines(stranger, [ada])).toBe(2) // added and deleted
  await workspace.database.transaction(caller, 'Erased for good', eraseAll)
  expect(await countJournalLines(caller, [toId(11)])).toBe(3) // emptying an empty trash erases nothing
})

test('deleting an account deletes all rows of its owner and no rows of others', { timeout: 240_000 }, async () => {
  const [caller, stranger] = [{ ...(await addPeople()), timeoutMs: 120_000 }, await addPeople()]
  const before = await countRowsOfOwner(stranger)
  const count = process.env['FOYER_FULL'] === '1' ? 100_000 : 2000 // FOYER_FULL=1 runs tests with larger numbers
  await workspace.change(caller, 'Imported', () =>
    sql(`insert into crm_contacts (first_name, email) select 'C', i || '@example.org' from generate_series(1, $1::int) i`, [count]),
  )
  await workspace.change(caller, 'Deleted', () => sql('delete from test_people where id = $1', [charles]))
  await openGroup(workspace.database, caller, { label: 'Importing' })
  await workspace.tableOwner.query(
    `insert into skipped_rows (user_id, change_id, table_name, row_id, why) values ($1, $2, 'test_people', $2, 'edited')`,
    [caller.owner, ada],
  )
  await workspace.database.transaction(caller, 'Deleted account', () => sql('select app.delete_account()'))
  const remaining = await countRowsOfOwner(caller)
  expect(Object.entries(remaining).filter(([, rowCount]) => rowCount > 0)).toEqual([])
  expect(await countRowsOfOwner(stranger)).toEqual(before)
})

const toId = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`
const ada = toId(1)
const charles = toId(2)

/**
 * Adds Ada with the notes 11 to 13, the file 21 of note 13, Charles, and a deal to which Ada and Charles are linked. Notes and files are
 * children.
 */
async function addPeople(): Promise<Caller> {
  const caller = await workspace.newOwner()
  await workspace.change(caller, 'Added', async () => {
    await sql(`insert into test_people (id, first_name) values ($1, 'Ada'), ($2, 'Charles')`, [ada, charles])
    await sql(`insert into test_notes (id, person_id, body) select n, $1, 'Note' from unnest($2::uuid[]) n`, [
      ada,
      [toId(11), toId(12), toId(13)],
    ])
    await sql(`insert into test_files (id, note_id, bytes, object_key) values ($1, $2, 1, 'k')`, [toId(21), toId(13)])
    await sql(`insert into test_deals (title, person_id, referrer_id) values ('Engine', $1, $2)`, [ada, charles])
  })
  return caller
}

/** Returns the number of journal lines of these rows of the owner. */
async function countJournalLines({ owner }: Caller, ids: string[]): Promise<number> {
  return (await workspace.tableOwner.query('select from journal where user_id = $1 and row_id = any ($2)', [owner, ids])).rowCount ?? 0
}

async function countRowsOfOwner({ owner }: Caller): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of [...linkedTables, 'profiles', 'sessions', 'journal', 'changesets', 'change_groups', 'skipped_rows', 'app.erasing']) {
    counts[table] = (await workspace.tableOwner.query(`select from ${table} where user_id = $1`, [owner])).rowCount ?? 0
  }
  counts['users'] = (await workspace.tableOwner.query('select from users where id = $1', [owner])).rowCount ?? 0
  return counts
}

const query = (caller: Caller, text: string, values?: unknown[]) =>
  workspace.database.read(caller, () => sql(text, values, { customPlan: true }))
