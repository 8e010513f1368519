// database/schema.sql shows the schema that all migrations create together, so that a review sees each change of it.
import { readFileSync } from 'node:fs'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '#server/testing/app.ts'
import { describeSchema } from './schema.ts'

const file = new URL('../../../database/schema.sql', import.meta.url)

let tableOwner: pg.Client
beforeAll(async () => {
  tableOwner = new pg.Client((await cloneDatabase()).tableOwner)
  await tableOwner.connect()
  return () => tableOwner.end()
})

test('database/schema.sql is the result of the migrations', async () => {
  const storedSchema = readFileSync(file, 'utf8')
  expect(await describeSchema(tableOwner), 'The schema has changed: run `npm run schema` and check the changes that it writes.').toBe(
    storedSchema,
  )
})

test.each([
  ['a new column', 'alter table profiles add column pet text'],
  ['a new default', `alter table profiles alter column currency set default 'EUR'`],
  ['a new check', `alter table profiles add check (currency <> '')`],
  ['a new index', 'create index on profiles (currency)'],
  ['a new right', 'grant delete on profiles to foyer_app'],
  ['a new right of every role', 'grant execute on function app.open_change() to public'],
  ['a changed policy', 'alter policy own on profiles using (true)'],
  ['disabled row security', 'alter table profiles disable row level security'],
  ['a dropped trigger', 'drop trigger touch on profiles'],
  ['a changed function', `create or replace function app.digits(text) returns text language sql immutable strict parallel safe return $1`],
  ['a changed view', 'create or replace view crm_contacts_find with (security_barrier) as select * from crm_contacts'],
])('the text of the schema changes with %s', async (_name, statement) => {
  const before = await describeSchema(tableOwner)
  await tableOwner.query(statement)
  expect(await describeSchema(tableOwner)).not.toBe(before)
})
