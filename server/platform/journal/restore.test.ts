import { beforeAll, expect, test } from 'vitest'
import { undoChange } from '#server/testing/undo.ts'
import { createLinkedTables } from '#server/testing/linked-tables.ts'
import { openWorkspace, type Workspace } from '#server/testing/workspace.ts'
import { undoDays } from '#contract/changes.ts'
import { sql } from '#server/platform/database/database.ts'
import { readCursor } from '#server/platform/database/cursor.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { readTrash } from './history.ts'
import { restore } from './undo.ts'

// The tables test_people, test_notes and test_deals are linked: notes are deleted with their person, and links of deals are cleared.
// `workspace.change` runs a transaction and returns the id of its change set.

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
  await createLinkedTables(workspace.tableOwner)
  return workspace.stop
})

test('a record is restored with its children and the links to it, and other records of the same change set stay deleted', async () => {
  const caller = await addTwoPeople()
  const deleteChange = await workspace.change(caller, 'Deleted 2 people', () => sql('delete from test_people'))
  const changeId = await workspace.change(caller, 'Restored', () => restore(ada))
  expect(await query(caller, 'select first_name, version from test_people')).toEqual([{ first_name: 'Ada', version: 2 }])
  expect(await query(caller, 'select body from test_notes order by body')).toEqual([{ body: 'Letter' }, { body: 'Visit' }])
  expect(await query(caller, 'select person_id, referrer_id from test_deals')).toEqual([{ person_id: ada, referrer_id: null }])
  expect(await query(caller, 'select label, undo_of, restore_of from changesets where id = $1', [changeId])).toEqual([
    { label: 'Restored', undo_of: null, restore_of: deleteChange },
  ])
  await expect(workspace.change(caller, 'Restored', () => restore(ada))).rejects.toMatchObject({ code: 'not_found' })

  const { skipped } = await undoChange(workspace.database, caller, deleteChange)
  expect(skipped.filter(({ table }) => table === 'test_people')).toEqual([{ table: 'test_people', id: ada, why: 'exists' }])
  expect(await query(caller, 'select first_name from test_people order by first_name')).toEqual([
    { first_name: 'Ada' },
    { first_name: 'Charles' },
  ])
  expect(await query(caller, 'select referrer_id from test_deals')).toEqual([{ referrer_id: charles }])
})

test('one of two concurrent restores of a record succeeds, and the other fails with not_found', async () => {
  const caller = await addTwoPeople()
  await workspace.change(caller, 'Deleted 2 people', () => sql('delete from test_people'))
  const results = await Promise.allSettled([1, 2].map(() => workspace.change(caller, 'Restored', () => restore(ada))))
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'not_found' } })
})

test('a row that one change inserted and deleted can be restored', async () => {
  const caller = await workspace.newOwner()
  await workspace.change(caller, 'Tried', async () => {
    await sql(`insert into test_people (id, first_name) values ($1, 'Ada')`, [ada])
    await sql('delete from test_people')
  })
  await workspace.change(caller, 'Restored', () => restore(ada))
  expect(await query(caller, 'select first_name from test_people')).toEqual([{ first_name: 'Ada' }])
})

test('records of another owner, existing records and those deleted more than 30 days ago cannot be restored', async () => {
  const [caller, stranger] = [await addTwoPeople(), await workspace.newOwner()]
  await expect(workspace.change(caller, 'Restored', () => restore(ada))).rejects.toMatchObject({ code: 'not_found' })
  const deleteChange = await workspace.change(caller, 'Deleted 2 people', () => sql('delete from test_people'))
  await expect(workspace.change(stranger, 'Restored', () => restore(ada))).rejects.toMatchObject({ code: 'not_found' })
  // the age of a deletion is the time in the id of its change set (UUIDv7); `uuid_floor` returns the smallest UUIDv7 of a time
  await workspace.tableOwner.query(`update journal set change = app.uuid_floor(now() - interval '31 days') where change = $1`, [
    deleteChange,
  ])
  await expect(workspace.change(caller, 'Restored', () => restore(ada))).rejects.toMatchObject({ code: 'too_old' })
  expect(await listTrash(caller)).toEqual([])
})

test('the trash lists deleted records in pages, newest first, without those deleted by cascade or restored', async () => {
  const caller = await addTwoPeople()
  const changeId = await workspace.change(caller, 'Deleted 2 people', () => sql('delete from test_people'))
  await workspace.change(caller, 'Deleted 1 deal', () => sql('delete from test_deals'))
  expect(await listTrash(caller, 2)).toEqual(['test_deals Engine', 'test_people Charles', 'test_people Ada'])
  const { rows: entries } = await workspace.database.read(caller, () => readTrash(caller.owner, undefined, 10))
  const entry = entries.find(({ id }) => id === ada)
  expect(entry).toMatchObject({ table: 'test_people', change: changeId, before: { first_name: 'Ada' } })
  expect(Date.parse(entry?.expires_at ?? '') - Date.parse(entry?.deleted_at ?? '')).toBe(undoDays * 24 * 60 * 60 * 1000)

  await workspace.change(caller, 'Restored', () => restore(ada))
  expect(await listTrash(caller)).toEqual(['test_deals Engine', 'test_people Charles'])
  await workspace.change(caller, 'Deleted 1 person', () => sql('delete from test_people'))
  expect(await listTrash(caller)).toEqual(['test_people Ada', 'test_deals Engine', 'test_people Charles'])
  expect(await listTrash(await workspace.newOwner())).toEqual([])
})

test('a cursor of another list is refused with an error message', async () => {
  const caller = await workspace.newOwner()
  const otherCursor = readCursor(Buffer.from(JSON.stringify(['Ada', caller.owner])).toString('base64url'))
  await expect(workspace.database.read(caller, () => readTrash(caller.owner, otherCursor, 10))).rejects.toMatchObject({
    code: 'invalid',
    extras: { fields: { after: 'This is not a valid page cursor' } },
  })
})

const ada = '00000000-0000-7000-8000-000000000001'
const charles = '00000000-0000-7000-8000-000000000002'

/** Adds Ada with two notes, Charles with one, and a deal that is linked to both. */
async function addTwoPeople(): Promise<Caller> {
  const caller = await workspace.newOwner()
  await workspace.change(caller, 'Added', async () => {
    await sql(`insert into test_people (id, first_name) values ($1, 'Ada'), ($2, 'Charles')`, [ada, charles])
    await sql(`insert into test_notes (person_id, body) values ($1, 'Letter'), ($1, 'Visit'), ($2, 'Call')`, [ada, charles])
    await sql(`insert into test_deals (title, person_id, referrer_id) values ('Engine', $1, $2)`, [ada, charles])
  })
  return caller
}

/** Returns all pages of the trash as "table title", newest first. */
async function listTrash(caller: Caller, pageSize = 10): Promise<string[]> {
  const titles: string[] = []
  let after: string | null | undefined
  while (after !== null) {
    const page = await workspace.database.read(caller, () => readTrash(caller.owner, readCursor(after ?? undefined), pageSize))
    titles.push(...page.rows.map(({ table, before }) => `${table} ${String(before['first_name'] ?? before['title'])}`))
    after = page.next
  }
  return titles
}

const query = (caller: Caller, text: string, values?: unknown[]) => workspace.database.read(caller, () => sql(text, values))
