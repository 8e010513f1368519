import { readFileSync } from 'node:fs'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '#server/testing/app.ts'
import { describeSchema } from './snapshot.ts'

const file = new URL('../../../database/schema.sql', import.meta.url)

let owner: pg.Client
beforeAll(async () => {
  owner = new pg.Client((await cloneDatabase()).owner)
  await owner.connect()
  return () => owner.end()
})

test('database/schema.sql is the result of the migrations', async () => {
  const written = readFileSync(file, 'utf8')
  expect(await describeSchema(owner), 'The schema has changed: run `npm run schema` and look at what it writes.').toBe(written)
})

test.each([
  ['a column', 'alter table profiles add column pet text'],
  ['a default', `alter table profiles alter column currency set default 'EUR'`],
  ['a check', `alter table profiles add check (currency <> '')`],
  ['an index', 'create index on profiles (currency)'],
  ['a right', 'grant delete on profiles to foyer_app'],
  ['a right of everybody', 'grant execute on function app.open_change() to public'],
  ['a policy', 'alter policy own on profiles using (true)'],
  ['row security', 'alter table profiles disable row level security'],
  ['a trigger', 'drop trigger touch on profiles'],
  ['a function', `create or replace function app.digits(text) returns text language sql immutable strict parallel safe return $1`],
  ['a view', 'create or replace view crm_contacts_find with (security_barrier) as select * from crm_contacts'],
])('%s shows in it', async (_what, change) => {
  const before = await describeSchema(owner)
  await owner.query(change)
  expect(await describeSchema(owner)).not.toBe(before)
})
