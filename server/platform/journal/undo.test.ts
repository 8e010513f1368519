import { beforeAll, expect, test } from 'vitest'
import { readAllSkippedRows, undoChange, type UndoneChange } from '#server/testing/undo.ts'
import { createLinkedTables } from '#server/testing/linked-tables.ts'
import { openWorkspace, type Workspace } from '#server/testing/workspace.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { describeChange } from './history.ts'
import { undo } from './undo.ts'

// The version of a row is 1 at first, and each write increases it, also an undo. `workspace.change` runs a transaction and returns the id
// of its change set. The tables test_companies, test_people, test_deals, test_notes and test_files are linked: a note requires a person and
// is deleted with the person, and a file requires a note and is deleted with the note. The other links are optional, and are cleared when
// the linked row is deleted. If row A links to row B, B is the parent of A.

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
  await createLinkedTables(workspace.tableOwner)
  return workspace.stop
})

test('an undo reverts columns that were not edited after the change, keeps later edits and lists them', async () => {
  const caller = await workspace.newOwner()
  const [ada] = await insert(caller, `insert into crm_contacts (first_name, phone, title) values ('Ada', '1', 'Countess') returning id`)
  const edit = await workspace.change(caller, 'Updated contact', () => sql(`update crm_contacts set first_name = 'Augusta', phone = '2'`))
  await workspace.change(caller, 'Updated contact', () => sql(`update crm_contacts set phone = '3', title = 'Mathematician'`))
  const { changeId, skipped } = await undoAs(caller, edit)
  expect(skipped).toEqual([{ table: 'crm_contacts', id: ada, why: 'edited', columns: ['phone'] }])
  expect(await query(caller, 'select first_name, phone, title, name, version from crm_contacts')).toEqual([
    { first_name: 'Ada', phone: '3', title: 'Mathematician', name: 'Ada', version: 4 },
  ])
  expect(await query(caller, 'select label, undo_of, skipped_counts from changesets where id = $1', [changeId])).toEqual([
    { label: 'Undone: Updated contact', undo_of: edit, skipped_counts: { edited: 1 } },
  ])
})

test('the undo of an undo is a redo with its own label', async () => {
  const caller = await workspace.newOwner()
  const insertChange = await workspace.change(caller, 'Added contact', () => sql(`insert into crm_contacts (first_name) values ('Ada')`))
  const undoResult = await undoAs(caller, insertChange)
  expect(await query(caller, 'select from crm_contacts')).toHaveLength(0)
  const redoResult = await undoAs(caller, undoResult.changeId)
  expect(await query(caller, 'select first_name, version from crm_contacts')).toEqual([{ first_name: 'Ada', version: 2 }])
  const secondUndoResult = await undoAs(caller, redoResult.changeId)
  expect(
    await query(caller, 'select label from changesets where id = any ($1) order by id', [
      [undoResult, redoResult, secondUndoResult].map(({ changeId }) => changeId),
    ]),
  ).toEqual([{ label: 'Undone: Added contact' }, { label: 'Redone: Added contact' }, { label: 'Undone: Added contact' }])
})

test('a change that is not an undo is undone and redone as usual, even if its label begins with "Undone:"', async () => {
  const caller = await workspace.newOwner()
  const add = () => sql(`insert into crm_contacts (first_name) values ('Ada')`)
  const insertChange = await workspace.change(caller, 'Undone: by hand', add)
  const undoResult = await undoAs(caller, insertChange)
  const redoResult = await undoAs(caller, undoResult.changeId)
  expect(await query(caller, 'select label, undo_depth from changesets order by id')).toEqual([
    { label: 'Undone: by hand', undo_depth: 0 },
    { label: 'Undone: Undone: by hand', undo_depth: 1 },
    { label: 'Redone: Undone: by hand', undo_depth: 2 },
  ])
  expect((await undoAs(caller, redoResult.changeId)).skipped).toEqual([])
})

test('one of two concurrent undos of a change succeeds, and the other fails with already_undone', async () => {
  const caller = await workspace.newOwner()
  const insertChange = await workspace.change(caller, 'Added contact', () => sql(`insert into crm_contacts (first_name) values ('Ada')`))
  const results = await Promise.allSettled([undoAs(caller, insertChange), undoAs(caller, insertChange)])
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'already_undone' } })
  await expect(undoAs(caller, insertChange)).rejects.toMatchObject({ code: 'already_undone' })
})

test('a failed undo can be retried', async () => {
  const caller = await workspace.newOwner()
  const insertChange = await workspace.change(caller, 'Added contact', () => sql(`insert into crm_contacts (first_name) values ('Ada')`))
  const failing = workspace.database.transaction(caller, 'Undone', async () => {
    await undo(insertChange)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect((await undoAs(caller, insertChange)).skipped).toEqual([])
})

test('a change set of another owner, an unknown one, or one older than 30 days is refused', async () => {
  const [caller, stranger] = [await workspace.newOwner(), await workspace.newOwner()]
  const insertChange = await workspace.change(caller, 'Added contact', () => sql(`insert into crm_contacts (first_name) values ('Ada')`))
  await expect(undoAs(stranger, insertChange)).rejects.toMatchObject({ code: 'not_found' })
  const unknownId = caller.owner // is not the id of a change set
  await expect(undoAs(caller, unknownId)).rejects.toMatchObject({ code: 'not_found' })
  await workspace.tableOwner.query(`update changesets set at = at - interval '30 days 1 minute' where id = $1`, [insertChange])
  await expect(undoAs(caller, insertChange)).rejects.toMatchObject({ code: 'too_old' })
  expect(await query(caller, 'select from crm_contacts')).toHaveLength(1)
})

test('an inserted row that a later row links to is skipped, and so are the parents of the inserted row', async () => {
  const caller = await workspace.newOwner()
  const insertChange = await workspace.change(caller, 'Imported', async () => {
    await sql(`insert into test_companies (id, title) values ($1, 'Analytical'), ($2, 'Difference')`, [toId(1), toId(2)])
    await sql(`insert into test_people (id, first_name, company_id) values ($1, 'Ada', $2), ($3, 'Charles', $4)`, [
      toId(3),
      toId(1),
      toId(4),
      toId(2),
    ])
  })
  await workspace.change(caller, 'Added note', () => sql(`insert into test_notes (person_id, body) values ($1, 'Met')`, [toId(3)]))
  expect((await undoAs(caller, insertChange)).skipped).toEqual([
    { table: 'test_people', id: toId(3), why: 'in_use' },
    { table: 'test_companies', id: toId(1), why: 'in_use' },
  ])
  expect(await query(caller, 'select title from test_companies')).toEqual([{ title: 'Analytical' }])
})

test('inserted rows that refer to each other are deleted together', async () => {
  const caller = await workspace.newOwner()
  const insertChange = await workspace.change(caller, 'Imported', async () => {
    await sql(`insert into test_companies (id, title) values ($1, 'Analytical'), ($2, 'Difference')`, [toId(1), toId(2)])
    await sql(`update test_companies set parent_id = case id when $1 then $2::uuid else $1 end`, [toId(1), toId(2)])
  })
  expect((await undoAs(caller, insertChange)).skipped).toEqual([])
  expect(await query(caller, 'select from test_companies')).toHaveLength(0)
})

test('a row whose parent was deleted is restored without the link, or skipped if the parent is required', async () => {
  const caller = await workspace.newOwner()
  await workspace.change(caller, 'Added', async () => {
    await sql(`insert into test_people (id, first_name) values ($1, 'Ada'), ($2, 'Charles')`, [toId(1), toId(2)])
    await sql(`insert into test_notes (id, person_id, body) values ($1, $2, 'Met')`, [toId(3), toId(1)])
    await sql(`insert into test_files (id, note_id, bytes, object_key) values ($1, $2, 1, 'k')`, [toId(4), toId(3)])
    await sql(`insert into test_deals (id, title, person_id, referrer_id) values ($1, 'Engine', $2, $3)`, [toId(5), toId(1), toId(2)])
  })
  const deleteChange = await workspace.change(caller, 'Deleted', () =>
    Promise.all([sql('delete from test_notes'), sql('delete from test_deals')]),
  )
  await workspace.change(caller, 'Deleted', () => sql('delete from test_people where id = $1', [toId(1)]))
  const { skipped } = await undoAs(caller, deleteChange)
  expect(skipped).toEqual([
    { table: 'test_notes', id: toId(3), why: 'parent_gone' },
    { table: 'test_files', id: toId(4), why: 'parent_gone' },
    { table: 'test_deals', id: toId(5), why: 'parent_gone', columns: ['person_id'] },
  ])
  expect(await query(caller, 'select person_id, referrer_id, version from test_deals')).toEqual([
    { person_id: null, referrer_id: toId(2), version: 2 },
  ])
})

test('a deleted row is skipped and listed if a row with its id exists again', async () => {
  const caller = await workspace.newOwner()
  await insert(caller, `insert into crm_contacts (id, first_name) values ('${toId(1)}', 'Ada') returning id`)
  const deleteChange = await workspace.change(caller, 'Deleted 1 contact', () => sql('delete from crm_contacts'))
  await workspace.change(caller, 'Added contact', () => sql(`insert into crm_contacts (id, first_name) values ($1, 'Other')`, [toId(1)]))
  expect((await undoAs(caller, deleteChange)).skipped).toEqual([{ table: 'crm_contacts', id: toId(1), why: 'exists' }])
  expect(await query(caller, 'select first_name from crm_contacts')).toEqual([{ first_name: 'Other' }])
})

test('an undo reverts a change that swapped the values of two rows in a unique column', async () => {
  const caller = await workspace.newOwner()
  await insert(
    caller,
    `insert into test_people (id, email) values ('${toId(1)}', 'ada@x.test'), ('${toId(2)}', 'grace@x.test') returning id`,
  )
  const swapChange = await workspace.change(caller, 'Swapped', async () => {
    await sql('update test_people set email = null where id = $1', [toId(1)])
    await sql(`update test_people set email = 'ada@x.test' where id = $1`, [toId(2)])
    await sql(`update test_people set email = 'grace@x.test' where id = $1`, [toId(1)])
  })
  expect((await undoAs(caller, swapChange)).skipped).toEqual([])
  expect(await query(caller, 'select email from test_people order by id')).toEqual([{ email: 'ada@x.test' }, { email: 'grace@x.test' }])
})

test('the whole undo is refused if another row has the same value in a unique column', async () => {
  const caller = await workspace.newOwner()
  await insert(caller, `insert into test_people (email) values ('ada@x.test'), ('grace@x.test') returning id`)
  const deleteChange = await workspace.change(caller, 'Deleted 2 people', () => sql('delete from test_people'))
  await insert(caller, `insert into test_people (email) values ('ADA@x.test') returning id`) // the unique index ignores case
  await expect(undoAs(caller, deleteChange)).rejects.toMatchObject({ code: 'undo_blocked', cause: { constraint: 'test_people_email' } })
  expect(await query(caller, 'select email from test_people')).toEqual([{ email: 'ADA@x.test' }])
})

test('a row that the application may not delete is skipped and listed', async () => {
  const caller = await workspace.newOwner()
  await workspace.tableOwner.query('delete from profiles where user_id = $1', [caller.owner])
  const signUpChange = await workspace.change(caller, 'Signed up', () =>
    sql('insert into profiles (user_id, id) values ($1, $1)', [caller.owner]),
  )
  // the application has no right to delete rows of `profiles`; such rows get the reason `in_use` too
  expect((await undoAs(caller, signUpChange)).skipped).toEqual([{ table: 'profiles', id: caller.owner, why: 'in_use' }])
})

test('an older change can be undone after columns were renamed, dropped and added', async () => {
  const caller = await workspace.newOwner()
  await workspace.tableOwner
    .query(`create table test_places (like test_companies including all, constraint test_places_parent foreign key (user_id, parent_id)
      references test_places (user_id, id) on delete set null (parent_id) deferrable);
    alter table test_places enable row level security; create policy own on test_places using (user_id = app.owner());
    grant select, insert, update, delete on test_places to foyer_app; select app.attach_journal('test_places')`)
  await workspace.change(caller, 'Added', () =>
    sql(`insert into test_places (id, title, domain, city) values ($1, 'A', 'a', 'Rome'), ($2, 'B', 'b', 'Rome')`, [toId(1), toId(2)]),
  )
  const editChange = await workspace.change(caller, 'Edited', () =>
    sql(`update test_places set city = 'Bern', domain = 'aa' where id = $1`, [toId(1)]),
  )
  const deleteChange = await workspace.change(caller, 'Deleted', () => sql('delete from test_places where id = $1', [toId(2)]))
  await workspace.tableOwner.query(`alter table test_places rename column city to town;
    alter table test_places drop column domain cascade;
    alter table test_places add column stars int;
    update test_places set stars = 3;
    alter table test_places alter column stars set not null;
    insert into app.column_changes (table_name, column_name, new_name, default_value)
      values ('test_places', 'city', 'town', null), ('test_places', 'domain', null, null), ('test_places', 'stars', null, '3');
    select app.attach_journal('test_places')`)
  expect((await undoAs(caller, deleteChange)).skipped).toEqual([])
  expect((await undoAs(caller, editChange)).skipped).toEqual([])
  expect(await query(caller, 'select title, town, stars from test_places order by title')).toEqual([
    { title: 'A', town: 'Rome', stars: 3 },
    { title: 'B', town: 'Rome', stars: 3 },
  ])
})

test(
  'an undo that skips many rows returns their number and the first 100, and all of them can be read in pages',
  { timeout: 300_000 },
  async () => {
    const caller = { ...(await workspace.newOwner()), timeoutMs: 300_000 }
    const count = process.env['FOYER_FULL'] === '1' ? 100_000 : 2500 // FOYER_FULL=1 runs tests with larger numbers
    const importChange = await workspace.change(caller, 'Imported', () =>
      sql(`insert into test_people (first_name) select 'P' || i from generate_series(1, $1::int) i`, [count]),
    )
    await workspace.change(caller, 'Edited', () => sql(`update test_people set city = 'Rome'`))
    const changeId = (await workspace.database.transaction(caller, 'Undone', () => undo(importChange))).changeId
    const described = await workspace.database.read(caller, () => describeChange(caller.owner, changeId))
    expect([described.skipped_counts, described.skipped.length]).toEqual([{ edited: count }, 100])
    const skippedRows = await readAllSkippedRows(workspace.database, caller, changeId)
    expect(skippedRows.slice(0, 100)).toEqual(described.skipped)
    expect(new Set(skippedRows.map((row) => row.id)).size).toBe(count)
    const stranger = await workspace.newOwner()
    await expect(readAllSkippedRows(workspace.database, stranger, changeId)).rejects.toMatchObject({ code: 'not_found' })
  },
)

test('a large import is undone completely', { timeout: 300_000 }, async () => {
  const caller = { ...(await workspace.newOwner()), timeoutMs: 300_000 }
  const count = process.env['FOYER_FULL'] === '1' ? 10_000 : 2000
  const importChange = await workspace.change(caller, 'Imported', async () => {
    for (let batch = 0; batch < 20; batch++)
      await sql(`insert into test_people (first_name, city) select 'P' || i, 'Rome' from generate_series(1, $1::int) i`, [count / 20])
    await sql(`update test_people set city = 'Bern' where md5(id::text) < '8'`)
  })
  expect((await undoAs(caller, importChange)).skipped).toEqual([])
  expect(await query(caller, 'select from test_people')).toHaveLength(0)
})

test('a large update of a new owner, whose rows are not in the statistics of PostgreSQL, is undone within the time limit', async () => {
  const [caller, other] = [await workspace.newOwner(), await workspace.newOwner()]
  const add = (count: number) => sql(`insert into test_people (first_name) select 'P' || i from generate_series(1, $1::int) i`, [count])
  await workspace.change(other, 'Imported', () => add(20))
  await workspace.tableOwner.query('analyze')
  await workspace.change(caller, 'Imported', () => add(15_000))
  const editChange = await workspace.change(caller, 'Edited', () => sql(`update test_people set city = 'Rome'`))
  expect((await undoAs(caller, editChange)).skipped).toEqual([])
  expect(await query(caller, 'select from test_people where city is not null')).toHaveLength(0)
})

/** Returns an id that ends with this number. */
const toId = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`

/** Undoes a change as this caller. */
const undoAs = (caller: Caller, changeId: string): Promise<UndoneChange> => undoChange(workspace.database, caller, changeId)

const query = (caller: Caller, text: string, values?: unknown[]) =>
  workspace.database.read(caller, () => sql(text, values, { customPlan: true }))

/** Runs an insert in its own transaction, and returns the ids of the rows. */
async function insert(caller: Caller, text: string): Promise<string[]> {
  const inserted = await workspace.database.transaction(caller, 'Added', () => sql<{ id: string }>(text))
  return inserted.map((row) => row.id)
}
