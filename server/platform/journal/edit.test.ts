import { beforeAll, expect, test } from 'vitest'
import { commitDuringWait } from '#server/testing/commit-during-wait.ts'
import { createLinkedTables } from '#server/testing/linked-tables.ts'
import { openWorkspace, type Workspace } from '#server/testing/workspace.ts'
import { sql } from '#server/platform/database/database.ts'
import type { Caller } from '#server/platform/database/transaction.ts'
import { Refusal } from '#server/platform/refusal.ts'
import { editRow } from './edit.ts'

// Each write increases the version of a row. An edit names the version that it started from, so that later changes of others are not
// overwritten.

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
  await createLinkedTables(workspace.tableOwner)
  return workspace.stop
})

type Row = { version: number } & Record<string, unknown>
type Fields = Record<string, unknown>

test('an edit that started from the current version succeeds', async () => {
  const caller = await addAda()
  expect(await edit(caller, { city: 'London' }, 1)).toMatchObject({ first_name: 'Ada', city: 'London', version: 2 })
})

test('an edit merges with a concurrent change of other fields', async () => {
  const caller = await addAda()
  await changeAda(caller, { email: 'ada@x.test' }) // version 2; the change of `rating` makes version 3, the edit version 4
  const result = await editAfterOther(caller, { rating: 1 }, { city: 'London' })
  expect(result).toMatchObject({ email: 'ada@x.test', rating: 1, city: 'London', version: 4 })
})

test('an edit conflicts with a concurrent change of the same field', async () => {
  const caller = await addAda()
  await changeAda(caller, { email: 'ada@x.test' })
  const result = editAfterOther(caller, { city: 'Rome' }, { city: 'London', tags: ['x'] })
  await expect(result).rejects.toMatchObject({
    code: 'conflict',
    extras: { conflict: { version: 3, actor: caller.actor, fields: [{ field: 'city', yours: 'London', theirs: 'Rome' }] } },
  })
  expect(await readAda(caller)).toMatchObject({ city: 'Rome', tags: [], version: 3 })
})

test('an edit without a version overwrites newer changes, and an edit of a deleted row fails with not_found', async () => {
  const caller = await addAda()
  await changeAda(caller, { city: 'Rome' })
  expect(await edit(caller, { city: 'London' })).toMatchObject({ city: 'London', version: 3 })
  await workspace.change(caller, 'Deleted', () => sql('delete from test_people'))
  for (const version of [undefined, 3]) await expect(edit(caller, { city: 'Bern' }, version)).rejects.toMatchObject({ code: 'not_found' })
})

test.each<[column: string, theirs: unknown, yours: unknown, isSame: boolean]>([
  ['city', 'Rome', 'Rome', true],
  ['city', 'Rome', 'Bern', false],
  ['city', '', '', true],
  ['city', '', null, false],
  ['first_name', null, null, true],
  ['first_name', null, '', false],
  ['tags', ['a', 'b'], ['a', 'b'], true],
  ['tags', ['a', 'b'], ['b', 'a'], false],
  ['custom', { a: 1, b: { c: [null] } }, { b: { c: [null] }, a: 1 }, true], // the order of keys is ignored
  ['custom', { a: 1 }, { a: 1, b: null }, false],
  ['custom', { a: 1 }, { a: '1' }, false],
  ['rating', 1.5, 1.5, true], // stored as 1.50
  ['rating', 1.5, '1.5', false],
])(
  'an edit of the same column conflicts unless both values are equal as JSON: %s: theirs %j, yours %j',
  async (column, theirs, yours, isSame) => {
    const caller = await addAda()
    await changeAda(caller, { [column]: theirs })
    const result = await edit(caller, { [column]: yours }, 1).catch((error: unknown) => error)
    expect(result instanceof Refusal ? result.code : 'merged').toBe(isSame ? 'merged' : 'conflict')
  },
)

const ada = '00000000-0000-7000-8000-000000000001'

/** Adds a user with the person Ada, whose row has version 1. */
async function addAda(): Promise<Caller> {
  const caller = await workspace.newOwner()
  await workspace.change(caller, 'Added', () => sql(`insert into test_people (id, first_name) values ($1, 'Ada')`, [ada]))
  return caller
}

/** Updates Ada if her row has the version `base`. `jsonb_populate_record` converts the JSON values to the types of the columns. */
async function update(fields: Fields, base?: number): Promise<Row | undefined> {
  const columns = Object.keys(fields)
  const [row] = await sql<Row>(
    `update test_people p set (${columns.join(', ')}) = row (${columns.map((column) => `(jsonb_populate_record(p, $1)).${column}`).join(', ')})
     where id = $2 and ($3::int is null or version = $3) returning *`,
    [JSON.stringify(fields), ada, base ?? null],
  )
  return row
}

async function read(): Promise<Row> {
  const [row] = await sql<Row>('select * from test_people where id = $1', [ada])
  if (!row) throw new Refusal('not_found')
  return row
}

const readAda = (caller: Caller): Promise<Row> => workspace.database.read(caller, read)
const changeAda = (caller: Caller, fields: Fields): Promise<string> => workspace.change(caller, 'Updated', () => update(fields))

function edit(caller: Caller, fields: Fields, version?: number): Promise<Row> {
  const { database } = workspace
  const write = (base: number | undefined) => database.batch(caller, 'Updated', () => update(fields, base))
  return editRow({ database, caller, table: 'test_people', id: ada, version, fields, read, update: write })
}

/** Edits Ada, starting from version 1. The edit `theirs` is committed while the write of the edit `yours` waits for it. */
const editAfterOther = (caller: Caller, theirs: Fields, yours: Fields): Promise<Row> =>
  commitDuringWait({ ...workspace, caller, first: () => update(theirs), second: () => edit(caller, yours, 1) })
