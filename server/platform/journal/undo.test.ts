import { beforeAll, expect, test } from 'vitest'
import { makeShapes } from '#server/testing/shapes.ts'
import { openWorkspace, type Workspace } from '#server/testing/workspace.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { undo, type Undone } from './undo.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
  await makeShapes(workspace.owner)
  return workspace.stop
})

test('undo gives back what nobody has touched since, keeps later edits and says so', async () => {
  const caller = await workspace.newOwner()
  const [ada] = await insert(caller, `insert into crm_contacts (first_name, phone, title) values ('Ada', '1', 'Countess') returning id`)
  const edit = await workspace.change(caller, 'Updated contact', () => sql(`update crm_contacts set first_name = 'Augusta', phone = '2'`))
  await workspace.change(caller, 'Updated contact', () => sql(`update crm_contacts set phone = '3', title = 'Mathematician'`))
  const { change, kept } = await takeBack(caller, edit)
  expect(kept).toEqual([{ table: 'crm_contacts', id: ada, why: 'edited', columns: ['phone'] }])
  expect(await rows(caller, 'select first_name, phone, title, name, version from crm_contacts')).toEqual([
    { first_name: 'Ada', phone: '3', title: 'Mathematician', name: 'Ada', version: 4 },
  ])
  expect(await rows(caller, 'select label, undo_of, kept from changesets where id = $1', [change])).toEqual([
    { label: 'Undone: Updated contact', undo_of: edit, kept },
  ])
})

test('the undo of an undo does it again, under a name of its own', async () => {
  const caller = await workspace.newOwner()
  const added = await workspace.change(caller, 'Added contact', () => sql(`insert into crm_contacts (first_name) values ('Ada')`))
  const undone = await takeBack(caller, added)
  expect(await rows(caller, 'select from crm_contacts')).toHaveLength(0)
  const redone = await takeBack(caller, undone.change)
  expect(await rows(caller, 'select first_name, version from crm_contacts')).toEqual([{ first_name: 'Ada', version: 2 }])
  const again = await takeBack(caller, redone.change)
  expect(
    await rows(caller, 'select label from changesets where id = any ($1) order by id', [
      [undone, redone, again].map(({ change }) => change),
    ]),
  ).toEqual([{ label: 'Undone: Added contact' }, { label: 'Redone: Added contact' }, { label: 'Undone: Added contact' }])
})

test('a label that reads like an undo is a label', async () => {
  const caller = await workspace.newOwner()
  const add = () => sql(`insert into crm_contacts (first_name) values ('Ada')`)
  const added = await workspace.change(caller, 'Undone: by hand', add)
  const undone = await takeBack(caller, added)
  const redone = await takeBack(caller, undone.change)
  expect(await rows(caller, 'select label, undo_depth from changesets order by id')).toEqual([
    { label: 'Undone: by hand', undo_depth: 0 },
    { label: 'Undone: Undone: by hand', undo_depth: 1 },
    { label: 'Redone: Undone: by hand', undo_depth: 2 },
  ])
  expect((await takeBack(caller, redone.change)).kept).toEqual([])
})

test('of two undos at once one wins, and the other hears that it is done', async () => {
  const caller = await workspace.newOwner()
  const added = await workspace.change(caller, 'Added contact', () => sql(`insert into crm_contacts (first_name) values ('Ada')`))
  const both = await Promise.allSettled([takeBack(caller, added), takeBack(caller, added)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'already_undone' } })
  await expect(takeBack(caller, added)).rejects.toMatchObject({ code: 'already_undone' })
})

test('an undo that fails leaves the way free for the next', async () => {
  const caller = await workspace.newOwner()
  const added = await workspace.change(caller, 'Added contact', () => sql(`insert into crm_contacts (first_name) values ('Ada')`))
  const failing = workspace.database.transaction(caller, 'Undone', async () => {
    await undo(added)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect((await takeBack(caller, added)).kept).toEqual([])
})

test('a change set of somebody else, of nobody, or older than 30 days is refused', async () => {
  const [caller, stranger] = [await workspace.newOwner(), await workspace.newOwner()]
  const added = await workspace.change(caller, 'Added contact', () => sql(`insert into crm_contacts (first_name) values ('Ada')`))
  await expect(takeBack(stranger, added)).rejects.toMatchObject({ code: 'not_found' })
  await expect(takeBack(caller, caller.owner)).rejects.toMatchObject({ code: 'not_found' })
  await workspace.owner.query(`update changesets set at = at - interval '30 days 1 minute' where id = $1`, [added])
  await expect(takeBack(caller, added)).rejects.toMatchObject({ code: 'too_old' })
  expect(await rows(caller, 'select from crm_contacts')).toHaveLength(1)
})

test('a row that is used from outside stays, and so do the rows that it uses', async () => {
  const caller = await workspace.newOwner()
  const added = await workspace.change(caller, 'Imported', async () => {
    await sql(`insert into shape_companies (id, title) values ($1, 'Analytical'), ($2, 'Difference')`, [id(1), id(2)])
    await sql(`insert into shape_people (id, first_name, company_id) values ($1, 'Ada', $2), ($3, 'Charles', $4)`, [
      id(3),
      id(1),
      id(4),
      id(2),
    ])
  })
  await workspace.change(caller, 'Added note', () => sql(`insert into shape_notes (person_id, body) values ($1, 'Met')`, [id(3)]))
  expect((await takeBack(caller, added)).kept).toEqual([
    { table: 'shape_people', id: id(3), why: 'in_use' },
    { table: 'shape_companies', id: id(1), why: 'in_use' },
  ])
  expect(await rows(caller, 'select title from shape_companies')).toEqual([{ title: 'Analytical' }])
})

test('rows that refer to each other go together', async () => {
  const caller = await workspace.newOwner()
  const added = await workspace.change(caller, 'Imported', async () => {
    await sql(`insert into shape_companies (id, title) values ($1, 'Analytical'), ($2, 'Difference')`, [id(1), id(2)])
    await sql(`update shape_companies set parent_id = case id when $1 then $2::uuid else $1 end`, [id(1), id(2)])
  })
  expect((await takeBack(caller, added)).kept).toEqual([])
  expect(await rows(caller, 'select from shape_companies')).toHaveLength(0)
})

test('what comes back without its parent is unlinked, or stays away where it needs one', async () => {
  const caller = await workspace.newOwner()
  await workspace.change(caller, 'Added', async () => {
    await sql(`insert into shape_people (id, first_name) values ($1, 'Ada'), ($2, 'Charles')`, [id(1), id(2)])
    await sql(`insert into shape_notes (id, person_id, body) values ($1, $2, 'Met')`, [id(3), id(1)])
    await sql(`insert into shape_files (id, note_id, bytes, object_key) values ($1, $2, 1, 'k')`, [id(4), id(3)])
    await sql(`insert into shape_deals (id, title, person_id, referrer_id) values ($1, 'Engine', $2, $3)`, [id(5), id(1), id(2)])
  })
  const deleted = await workspace.change(caller, 'Deleted', () =>
    Promise.all([sql('delete from shape_notes'), sql('delete from shape_deals')]),
  )
  await workspace.change(caller, 'Deleted', () => sql('delete from shape_people where id = $1', [id(1)]))
  const { kept } = await takeBack(caller, deleted)
  expect(kept).toEqual([
    { table: 'shape_notes', id: id(3), why: 'parent_gone' },
    { table: 'shape_files', id: id(4), why: 'parent_gone' },
    { table: 'shape_deals', id: id(5), why: 'parent_gone', columns: ['person_id'] },
  ])
  expect(await rows(caller, 'select person_id, referrer_id, version from shape_deals')).toEqual([
    { person_id: null, referrer_id: id(2), version: 2 },
  ])
})

test('what is here already is listed and left alone', async () => {
  const caller = await workspace.newOwner()
  await insert(caller, `insert into crm_contacts (id, first_name) values ('${id(1)}', 'Ada') returning id`)
  const deleted = await workspace.change(caller, 'Deleted 1 contact', () => sql('delete from crm_contacts'))
  await workspace.change(caller, 'Added contact', () => sql(`insert into crm_contacts (id, first_name) values ($1, 'Other')`, [id(1)]))
  expect((await takeBack(caller, deleted)).kept).toEqual([{ table: 'crm_contacts', id: id(1), why: 'exists' }])
  expect(await rows(caller, 'select first_name from crm_contacts')).toEqual([{ first_name: 'Other' }])
})

test('values that swapped places under a unique key swap back', async () => {
  const caller = await workspace.newOwner()
  await insert(caller, `insert into shape_people (id, email) values ('${id(1)}', 'ada@x.test'), ('${id(2)}', 'grace@x.test') returning id`)
  const swapped = await workspace.change(caller, 'Swapped', async () => {
    await sql('update shape_people set email = null where id = $1', [id(1)])
    await sql(`update shape_people set email = 'ada@x.test' where id = $1`, [id(2)])
    await sql(`update shape_people set email = 'grace@x.test' where id = $1`, [id(1)])
  })
  expect((await takeBack(caller, swapped)).kept).toEqual([])
  expect(await rows(caller, 'select email from shape_people order by id')).toEqual([{ email: 'ada@x.test' }, { email: 'grace@x.test' }])
})

test('a unique value that somebody else has taken refuses the whole undo', async () => {
  const caller = await workspace.newOwner()
  await insert(caller, `insert into shape_people (email) values ('ada@x.test'), ('grace@x.test') returning id`)
  const deleted = await workspace.change(caller, 'Deleted 2 people', () => sql('delete from shape_people'))
  await insert(caller, `insert into shape_people (email) values ('ADA@x.test') returning id`)
  await expect(takeBack(caller, deleted)).rejects.toMatchObject({ code: 'undo_blocked', cause: { constraint: 'shape_people_email' } })
  expect(await rows(caller, 'select email from shape_people')).toEqual([{ email: 'ADA@x.test' }])
})

test('what the application may not delete stays, and is listed', async () => {
  const caller = await workspace.newOwner()
  await workspace.owner.query('delete from profiles where user_id = $1', [caller.owner])
  const signedUp = await workspace.change(caller, 'Signed up', () =>
    sql('insert into profiles (user_id, id) values ($1, $1)', [caller.owner]),
  )
  expect((await takeBack(caller, signedUp)).kept).toEqual([{ table: 'profiles', id: caller.owner, why: 'in_use' }])
})

test('an older change is understood after columns were renamed, dropped and added', async () => {
  const caller = await workspace.newOwner()
  await workspace.owner
    .query(`create table shape_houses (like shape_companies including all, constraint shape_houses_parent foreign key (user_id, parent_id)
      references shape_houses (user_id, id) on delete set null (parent_id) deferrable);
    alter table shape_houses enable row level security; create policy own on shape_houses using (user_id = app.owner());
    grant select, insert, update, delete on shape_houses to foyer_app; select app.attach_journal('shape_houses')`)
  await workspace.change(caller, 'Added', () =>
    sql(`insert into shape_houses (id, title, domain, city) values ($1, 'A', 'a', 'Rome'), ($2, 'B', 'b', 'Rome')`, [id(1), id(2)]),
  )
  const edited = await workspace.change(caller, 'Edited', () =>
    sql(`update shape_houses set city = 'Bern', domain = 'aa' where id = $1`, [id(1)]),
  )
  const deleted = await workspace.change(caller, 'Deleted', () => sql('delete from shape_houses where id = $1', [id(2)]))
  await workspace.owner.query(`alter table shape_houses rename column city to town;
    alter table shape_houses drop column domain cascade;
    alter table shape_houses add column stars int;
    update shape_houses set stars = 3;
    alter table shape_houses alter column stars set not null;
    insert into app.journal_drift (table_name, column_name, became, fill)
      values ('shape_houses', 'city', 'town', null), ('shape_houses', 'domain', null, null), ('shape_houses', 'stars', null, '3');
    select app.attach_journal('shape_houses')`)
  expect((await takeBack(caller, deleted)).kept).toEqual([])
  expect((await takeBack(caller, edited)).kept).toEqual([])
  expect(await rows(caller, 'select title, town, stars from shape_houses order by title')).toEqual([
    { title: 'A', town: 'Rome', stars: 3 },
    { title: 'B', town: 'Rome', stars: 3 },
  ])
})

test('a large import goes as a whole', { timeout: 60_000 }, async () => {
  const caller = { ...(await workspace.newOwner()), timeoutMs: 60_000 }
  const count = process.env['FOYER_FULL'] === '1' ? 10_000 : 2000
  const imported = await workspace.change(caller, 'Imported', async () => {
    for (let batch = 0; batch < 20; batch++)
      await sql(`insert into shape_people (first_name, city) select 'P' || i, 'Rome' from generate_series(1, $1::int) i`, [count / 20])
    await sql(`update shape_people set city = 'Bern' where md5(id::text) < '8'`)
  })
  expect((await takeBack(caller, imported)).kept).toEqual([])
  expect(await rows(caller, 'select from shape_people')).toHaveLength(0)
})

const id = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`

const takeBack = (caller: Caller, change: string): Promise<Undone> => workspace.database.transaction(caller, 'Undone', () => undo(change))

const rows = (caller: Caller, text: string, values?: unknown[]) => workspace.database.read(caller, () => sql(text, values, { fresh: true }))

async function insert(caller: Caller, text: string): Promise<string[]> {
  const made = await workspace.database.transaction(caller, 'Added', () => sql<{ id: string }>(text))
  return made.map((row) => row.id)
}
