import { beforeAll, expect, test } from 'vitest'
import { createLinkedTables } from '#server/testing/linked-tables.ts'
import { openWorkspace, type Workspace } from '#server/testing/workspace.ts'
import { sql } from '#server/platform/database/database.ts'
import { relabel } from './label.ts'

// The triggers of the journal write a line for each row that a transaction changes. `workspace.change` runs a transaction and returns the
// id of its change set. `workspace.tableOwner` connects as the role of PostgreSQL that owns the tables; migrations use it too.

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
  await createLinkedTables(workspace.tableOwner)
  return workspace.stop
})

test('a transaction writes one change set with its actor, label and request key', async () => {
  const caller = { ...(await workspace.newOwner()), request: { key: 'k1', hash: 'h1' } }
  const changeId = await workspace.change(caller, 'Added 2 contacts', async () => {
    await sql(`insert into crm_contacts (first_name, email) values ('Ada', 'ADA@example.org')`)
    await sql(`insert into crm_contacts (first_name) values ('Grace')`)
  })
  const { rows } = await workspace.tableOwner.query(
    'select id, user_id, actor, label, request_key, request_hash from changesets where user_id = $1',
    [caller.owner],
  )
  expect(rows).toEqual([
    { id: changeId, user_id: caller.owner, actor: caller.actor, label: 'Added 2 contacts', request_key: 'k1', request_hash: 'h1' },
  ])
  // the values of an inserted row are stored without columns that PostgreSQL or the triggers compute
  const [line, ...others] = await readLines(changeId)
  expect(line).toMatchObject({ table_name: 'crm_contacts', operation: 'I', cascade: false, version: 1, before: null })
  expect(line?.after).toMatchObject({ user_id: caller.owner, first_name: 'Ada', email: 'ADA@example.org', raw_data: null })

  for (const column of ['version', 'updated_at', 'search', 'name', 'email_key']) expect(line?.after).not.toHaveProperty(column)
  expect(others).toHaveLength(1)
})

test('an update stores the changed columns, and an update without changes creates no change set', async () => {
  const caller = await workspace.newOwner()
  await workspace.change(caller, 'Added', () => sql(`insert into crm_contacts (first_name, phone) values ('Ada', '1')`))
  const changeId = await workspace.change(caller, 'Edited', () => sql(`update crm_contacts set first_name = 'Augusta', phone = '1'`))
  expect(await readLines(changeId)).toMatchObject([
    { operation: 'U', version: 2, before: { first_name: 'Ada' }, after: { first_name: 'Augusta' } },
  ])
  const emptyUpdate = workspace.change(caller, 'Edited', () => sql(`update crm_contacts set first_name = 'Augusta'`))
  await expect(emptyUpdate).rejects.toThrow('Nothing was written')
})

test('the journal marks the rows that a delete also deletes or unlinks by cascade', async () => {
  const caller = await workspace.newOwner()
  const [person] = await insertRows(caller, `insert into test_people (first_name) values ('Ada') returning id`)
  await workspace.change(caller, 'Added', async () => {
    await sql(`insert into test_notes (person_id, body) values ($1, 'first'), ($1, 'second')`, [person])
    await sql(`insert into test_files (note_id, bytes, object_key) select id, 1, 'k' from test_notes`)
    await sql(`insert into test_deals (title, person_id, referrer_id) values ('Engine', $1, $1)`, [person])
  })
  const changeId = await workspace.change(caller, 'Deleted 1 person', () => sql('delete from test_people'))
  const lines = await readLines(changeId)
  expect(lines.map(({ table_name, operation, cascade }) => `${table_name} ${operation} ${cascade}`).toSorted()).toEqual([
    'test_deals U true', // one line for each link
    'test_deals U true',
    'test_files D true',
    'test_files D true',
    'test_notes D true',
    'test_notes D true',
    'test_people D false',
  ])
  expect(lines.filter(({ table_name }) => table_name === 'test_deals').map(({ before }) => before)).toEqual(
    expect.arrayContaining([{ person_id: person }, { referrer_id: person }]),
  )
})

test('the application can read the journal of its owner but cannot write it', async () => {
  const caller = await workspace.newOwner()
  const changeId = await workspace.change(caller, 'Added', () => sql(`insert into crm_contacts (first_name) values ('Ada')`))
  const stranger = await workspace.newOwner()
  expect(await workspace.database.read(caller, () => sql('select id from changesets'))).toEqual([{ id: changeId }])
  expect(await workspace.database.read(stranger, () => sql('select id from changesets union all select change from journal'))).toEqual([])
  for (const text of [
    'delete from journal',
    'delete from changesets',
    `update journal set before = '{}'`,
    `update changesets set label = ''`,
    'insert into journal select * from journal',
    'insert into changesets select * from changesets',
    'select app.open_change()',
    `select app.insert_change('forged', null)`,
    `insert into app.erasing values ('${caller.owner}')`,
    'select * from journal_default',
  ]) {
    await expect(
      workspace.database.transaction(caller, 'Forged', () => sql(text)),
      text,
    ).rejects.toMatchObject({ code: '42501' }) // insufficient_privilege
  }
})

test('writes of the table owner are not journaled', async () => {
  const { owner } = await workspace.newOwner()
  await workspace.tableOwner.query(`insert into crm_contacts (user_id, first_name) values ($1, 'Ada')`, [owner])
  await workspace.tableOwner.query('delete from crm_contacts where user_id = $1', [owner])
  expect((await workspace.tableOwner.query('select from journal where user_id = $1', [owner])).rowCount).toBe(0)
})

test('a transaction cannot change rows of two owners', async () => {
  const [ada, grace] = [await workspace.newOwner(), await workspace.newOwner()]
  const writing = workspace.database.transaction(ada, 'Added', async () => {
    await sql(`insert into crm_contacts (first_name) values ('Ada')`)
    await sql(`select set_config('app.owner', $1, true)`, [grace.owner])
    await sql(`insert into crm_contacts (first_name) values ('Grace')`)
  })
  await expect(writing).rejects.toThrow('one owner only')
})

test('the label can be replaced before and after the first write', async () => {
  const caller = await workspace.newOwner()
  const changeId = await workspace.change(caller, 'Deleted 3 contacts', async () => {
    await relabel('Deleted 2 contacts')
    await sql(`insert into crm_contacts (first_name) values ('Ada')`)
    expect(await sql('select label from changesets')).toEqual([{ label: 'Deleted 2 contacts' }])
    await relabel('Deleted 1 contact')
  })
  expect(await workspace.database.read(caller, () => sql('select id, label from changesets'))).toEqual([
    { id: changeId, label: 'Deleted 1 contact' },
  ])
})

test('a large update after small ones on the same connection does not use the plan that was cached for the small ones', async () => {
  const caller = await workspace.newOwner()
  await workspace.change(caller, 'Added', () => sql(`insert into test_companies (title) select 'C' || i from generate_series(1, 20000) i`))
  const client = await workspace.application.connect()
  try {
    await client.query(
      `select set_config('app.owner', $1, false), set_config('app.actor', $2, false), set_config('statement_timeout', '20s', false)`,
      [caller.owner, caller.actor],
    )
    // PostgreSQL may cache a plan for a statement of the trigger from the sixth execution
    for (let repeat = 0; repeat < 8; repeat++)
      await client.query(`update test_companies set city = $1 where title = 'C1'`, [String(repeat)])
    expect((await client.query(`update test_companies set city = 'Berlin'`)).rowCount).toBe(20_000)
  } finally {
    client.release(true) // closes the connection, which has the settings of this owner
  }
})

async function insertRows(caller: Parameters<Workspace['change']>[0], text: string): Promise<string[]> {
  const rows = await workspace.database.transaction(caller, 'Added', () => sql<{ id: string }>(text))
  return rows.map(({ id }) => id)
}

/** Returns the journal lines of a change set, one for each changed row. `operation`: I for insert, U for update, D for delete. */
async function readLines(changeId: string) {
  const { rows } = await workspace.tableOwner.query<{
    table_name: string
    operation: string
    cascade: boolean
    version: number
    before: Record<string, unknown> | null
    after: Record<string, unknown> | null
  }>('select table_name, operation, cascade, version, before, after from journal where change = $1 order by step, line', [changeId])
  return rows
}
