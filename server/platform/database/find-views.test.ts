// A find view is a database view of a table of records, with the rows of one owner, through which searches can use indexes. Its columns are
// fixed when it is created: a new column of the table is missing until the view is created again.
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { recordKinds } from '#contract/kinds.ts'
import { kinds } from '#server/features.ts'
import { cloneDatabase } from '#server/testing/app.ts'

let tableOwner: pg.Client
beforeAll(async () => {
  tableOwner = new pg.Client((await cloneDatabase()).tableOwner)
  await tableOwner.connect()
  return () => tableOwner.end()
})

const readColumns = async (relation: string): Promise<string[]> => {
  const { rows } = await tableOwner.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = to_regclass($1) and attnum > 0 and not attisdropped order by name`,
    [relation],
  )
  return rows.map(({ name }) => name)
}

/** Returns the definitions of a table's indexes as SQL. */
const readIndexes = async (table: string): Promise<string[]> => {
  const { rows } = await tableOwner.query<{ text: string }>(
    `select pg_get_indexdef(indexrelid) as text from pg_index where indrelid = $1::regclass`,
    [table],
  )
  return rows.map(({ text }) => text.replaceAll(' COLLATE ', ' collate '))
}

test('every find view has all columns of its table', async () => {
  const { rows: views } = await tableOwner.query<{ name: string }>(
    `select viewname as name from pg_views where schemaname = 'public' and viewname like '%\\_find' order by 1`,
  )
  expect(views.map(({ name }) => name)).toEqual(kinds.map(({ findView }) => findView).toSorted())
  for (const { name } of views) expect(await readColumns(name), name).toEqual(await readColumns(name.replace(/_find$/, '')))
})

/** Filters that are not columns: a kind converts them to conditions on its columns (`resolveFilter`). */
const resolvedFilters = new Set(['below_folder_id'])

test.each([...kinds])(
  'the columns for filters, sorts and search of $plural exist',
  async ({ findView, table, filters, sorts, searchResult: { sortColumn } }) => {
    const usedColumns = [
      ...Object.keys(filters).filter((name) => !resolvedFilters.has(name)),
      ...(Object.values(filters).includes('tags') ? ['tag_keys'] : []),
      ...Object.values(sorts).map(({ column }) => column.split(' ')[0]),
      'search',
      ...(sortColumn ? [sortColumn] : []),
    ]
    expect(await readColumns(findView)).toEqual(expect.arrayContaining(usedColumns))
    expect(await readColumns(table)).toEqual(expect.arrayContaining(usedColumns))
  },
)

test.each([...kinds])(
  'every sort and every link of $plural has an index',
  async ({ table, singular, sorts, linksByConstraint, searchResult: { sortColumn } }) => {
    const indexes = await readIndexes(table)
    for (const { column } of Object.values(sorts)) expect(indexes).toContainEqual(expect.stringContaining(`(user_id, ${column}, id)`))
    for (const { field, to } of Object.values(linksByConstraint)) {
      expect(kinds.map((kind) => kind.singular)).toContain(to.singular)
      expect(indexes).toContainEqual(expect.stringContaining(`(user_id, ${field}`))
      // the timeline of a record also shows deleted rows of other kinds that were linked to it, which are found in the journal
      if (to.singular !== singular)
        expect(await readIndexes('journal')).toContainEqual(
          expect.stringContaining(`(user_id, ((before ->> '${field}'::text)), row_id DESC)`),
        )
    }
    if (sortColumn) expect(Object.values(sorts).map(({ column }) => column)).toContain(`${sortColumn} collate "und-x-icu"`)
  },
)

test('the contract and the server define the same kinds of records', () => {
  const definitions = kinds.map(({ singular, plural, table, titleColumn }) => ({ singular, plural, table, titleColumn }))
  expect(new Set(definitions)).toEqual(new Set(Object.values(recordKinds)))
})
