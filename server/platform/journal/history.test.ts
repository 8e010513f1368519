import { beforeAll, expect, test } from 'vitest'
import { createLinkedTables } from '#server/testing/linked-tables.ts'
import { openWorkspace, type Workspace } from '#server/testing/workspace.ts'
import { sql } from '#server/platform/database/database.ts'
import { readCursor } from '#server/platform/database/cursor.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { readColumnChanges, describeChange, findEarlierWrite, readTimeline } from './history.ts'
import { undo } from './undo.ts'

// `workspace.change` runs a transaction and returns the id of its change set. Each write increases the version of a row, which is 1 at
// first.

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
  await createLinkedTables(workspace.tableOwner)
  return workspace.stop
})

test('the timeline of a record lists actors and changed columns, newest first, in pages', async () => {
  const caller = await workspace.newOwner()
  await addAda(caller)
  const editChange = await workspace.change(caller, 'Updated contact', () =>
    sql(`update crm_contacts set phone = '1', raw_data = '{"a":1}'`),
  )
  await workspace.change(caller, 'Deleted 1 contact', () => sql('delete from crm_contacts'))
  const timeline = await workspace.database.read(caller, () => readTimeline(caller.owner, ada, undefined, 10))
  expect(timeline.next).toBeNull()
  expect(timeline.rows.map(({ operation, label }) => `${operation}: ${label}`)).toEqual([
    'deleted: Deleted 1 contact',
    'updated: Updated contact',
    'created: Added contact',
  ])
  expect(timeline.rows[1]).toEqual({
    change: editChange,
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    actor: caller.actor,
    actor_name: null,
    label: 'Updated contact',
    reversal: null,
    table: 'crm_contacts',
    linkedId: null,
    before: null,
    operation: 'updated',
    columns: expect.arrayContaining([
      { name: 'phone', before: '', after: '1' },
      { name: 'raw_data', before: null, after: { a: 1 } },
    ]),
  })

  const firstPage = await workspace.database.read(caller, () => readTimeline(caller.owner, ada, undefined, 2))
  const secondPage = await workspace.database.read(caller, () => readTimeline(caller.owner, ada, readCursor(firstPage.next ?? ''), 2))
  expect([...firstPage.rows, ...secondPage.rows]).toEqual(timeline.rows)
  expect(secondPage.next).toBeNull()
  const stranger = await workspace.newOwner()
  expect(await workspace.database.read(stranger, () => readTimeline(stranger.owner, ada, undefined, 10))).toEqual({ rows: [], next: null })
})

test('the description of a change set has the number of rows that it wrote directly, and whether it was undone', async () => {
  const caller = await workspace.newOwner()
  const insertChange = await workspace.change(caller, 'Added 2 people', async () => {
    await sql(`insert into test_people (id, first_name) values ($1, 'Ada'), (uuidv7(), 'Charles')`, [ada])
    await sql(`update test_people set city = 'London'`)
    await sql(`insert into test_notes (person_id, body) values ($1, 'Met')`, [ada])
  })
  const deleteChange = await workspace.change(caller, 'Deleted 1 person', () => sql('delete from test_people where id = $1', [ada]))
  expect(await readChange(caller, insertChange)).toMatchObject({
    label: 'Added 2 people',
    actor: caller.actor,
    actor_name: null,
    count: 3,
    undone: false,
    progress: null,
    skipped_counts: {},
    skipped: [],
  })
  expect(await readChange(caller, deleteChange)).toMatchObject({ count: 1, undone: false })
  const runUndo = async (id: string): Promise<string> => (await workspace.database.transaction(caller, 'Undone', () => undo(id))).changeId
  const firstUndo = await runUndo(deleteChange)
  // `redo_id` is null while the change is undone; while it is redone, it is the redo that can be undone
  expect(await readChange(caller, deleteChange)).toMatchObject({ undone: true, redo_id: null })
  const redo = await runUndo(firstUndo)
  expect(await readChange(caller, deleteChange)).toMatchObject({ undone: false, redo_id: redo })
  await runUndo(redo)
  expect(await readChange(caller, deleteChange)).toMatchObject({ undone: true, redo_id: null })
  const stranger = await workspace.newOwner()
  await expect(readChange(stranger, insertChange)).rejects.toMatchObject({ code: 'not_found' })
})

test('each column that changed since a version is returned once', async () => {
  const caller = await workspace.newOwner()
  await addAda(caller)
  await workspace.change(caller, 'Updated', () => sql(`update crm_contacts set phone = '1', title = 'Countess'`))
  const last = await workspace.change(caller, 'Updated', () => sql(`update crm_contacts set phone = '2'`))
  // version 1 is the insert, 2 the first update, 3 the last
  expect(await readChangesAfter(caller, 1)).toEqual([`phone ${last}`, expect.stringMatching(/^title /)])
  expect(await readChangesAfter(caller, 2)).toEqual([`phone ${last}`])
  expect(await readChangesAfter(caller, 3)).toEqual([])
})

test('a deleted and restored record has no changed columns, but a record that was created again with the same id has some', async () => {
  const caller = await workspace.newOwner()
  await addAda(caller)
  const deleteChange = await workspace.change(caller, 'Deleted', () => sql('delete from crm_contacts'))
  await workspace.database.transaction(caller, 'Undone', () => undo(deleteChange))
  expect(await readChangesAfter(caller, 1)).toEqual([])
  await workspace.change(caller, 'Deleted', () => sql('delete from crm_contacts'))
  await workspace.change(caller, 'Made again', () =>
    sql(`insert into crm_contacts (id, first_name, phone, version) values ($1, 'Ada', '7', 5)`, [ada]),
  )
  const columns = (await readChangesAfter(caller, 2)).map((line) => line.split(' ')[0])
  expect(columns).toContain('phone')
  expect(columns).not.toContain('first_name')
})

test('a write is found by its Idempotency-Key, with the first row that it wrote directly', async () => {
  const caller = await workspace.newOwner()
  const changeId = await addAda({ ...caller, request: { key: 'k1', hash: 'h1' } })
  const find = (reader: Caller, key: string) => workspace.database.read(reader, () => findEarlierWrite(reader.owner, key))
  expect(await find(caller, 'k1')).toEqual({ changeId, hash: 'h1', record: ada, isRunning: false })
  expect(await find(caller, 'k2')).toBeUndefined()
  const stranger = await workspace.newOwner()
  expect(await find(stranger, 'k1')).toBeUndefined()
  await addAda({ ...stranger, request: { key: 'k1', hash: 'h1' } }) // the same key of another owner is independent
})

test('one of two concurrent writes with the same Idempotency-Key fails', async () => {
  const caller = { ...(await workspace.newOwner()), request: { key: 'k1', hash: 'h1' } }
  const write = () =>
    workspace.database.transaction(caller, 'Added contact', () => sql(`insert into crm_contacts (first_name) values ('Ada')`))
  const results = await Promise.allSettled([write(), write()])
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { constraint: 'changesets_request_key' } })
  expect(await workspace.database.read(caller, () => sql('select from crm_contacts'))).toHaveLength(1)
})

const ada = '00000000-0000-7000-8000-000000000001'

const addAda = (caller: Caller): Promise<string> =>
  workspace.change(caller, 'Added contact', () => sql(`insert into crm_contacts (id, first_name) values ($1, 'Ada')`, [ada]))

const readChange = (caller: Caller, changeId: string) => workspace.database.read(caller, () => describeChange(caller.owner, changeId))

/** Returns the columns of Ada that changed after a version, each with the change set: "column change". */
async function readChangesAfter(caller: Caller, version: number): Promise<string[]> {
  const changes = await workspace.database.read(caller, () => readColumnChanges(caller.owner, 'crm_contacts', ada, version))
  return changes.map(({ column, changeId }) => `${column} ${changeId}`)
}
