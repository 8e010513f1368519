// The views that searches go through name their columns when they are made: a column that came later is missing until they are made anew.
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { companies } from '#server/companies/kind.ts'
import { contacts } from '#server/contacts/kind.ts'
import { deals } from '#server/deals/kind.ts'
import { notes } from '#server/notes/kind.ts'
import { foundKinds } from '#server/search/kinds.ts'
import { tasks } from '#server/tasks/kind.ts'
import { cloneDatabase } from '#server/testing/app.ts'

const kinds = [contacts, companies, deals, tasks, notes]

let owner: pg.Client
beforeAll(async () => {
  owner = new pg.Client((await cloneDatabase()).owner)
  await owner.connect()
  return () => owner.end()
})

const columnsOf = async (relation: string): Promise<string[]> => {
  const { rows } = await owner.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = to_regclass($1) and attnum > 0 and not attisdropped order by name`,
    [relation],
  )
  return rows.map(({ name }) => name)
}

test('every view is that of a table, and has all of its columns', async () => {
  const { rows: views } = await owner.query<{ name: string }>(
    `select viewname as name from pg_views where schemaname = 'public' and viewname like '%\\_find' order by 1`,
  )
  expect(views.map(({ name }) => name)).toEqual(kinds.map(({ find }) => find).toSorted())
  for (const { name } of views) expect(await columnsOf(name), name).toEqual(await columnsOf(name.replace(/_find$/, '')))
})

test.each(kinds)('what $many are filtered, sorted and searched by is a column', async ({ find, table, filters, sorts }) => {
  const asked = [
    ...Object.keys(filters),
    ...(Object.values(filters).includes('tags') ? ['tag_keys'] : []),
    ...Object.values(sorts).map(({ column }) => column.split(' ')[0]),
    'search',
  ]
  expect(await columnsOf(find)).toEqual(expect.arrayContaining(asked))
  expect(await columnsOf(table)).toEqual(expect.arrayContaining(asked))
})

test('the palette searches the same tables by columns that are there', async () => {
  expect(foundKinds.map(({ table, find }) => [table, find])).toEqual(kinds.map(({ table, find }) => [table, find]))
  for (const { find, sorted } of foundKinds) if (sorted) expect(await columnsOf(find)).toContain(sorted)
})
