// Searches in the texts of files read the index of the words. A text is stored in parts, and a passage is made of the part with the hit and
// its neighbours.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { readPage } from '#server/platform/records/page.ts'
import { addFileRows } from '#server/testing/files.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { isScan, openPlans, type Plans } from '#server/testing/plans.ts'
import { files } from '../kind.ts'
import { readPassages } from './passages.ts'

let app: TestApp
let plans: Plans
let ada: Person
beforeAll(async () => {
  app = await openTestApp()
  ada = await signInAs(app, 'ada')
  await addTexts(ada.id, 150) // so few that PostgreSQL might expect that reading all texts is cheaper than the index
  await app.tableOwner.query('vacuum analyze files, object_texts, object_text_parts')
  plans = await openPlans(app)
})
afterAll(async () => {
  await plans.stop()
  await app.stop()
})

/** Adds files with texts of 12 parts. Each text has the word "alpha" in its first part, and a word of its own in its last part. */
async function addTexts(owner: string, count: number): Promise<void> {
  const client = await app.tableOwner.connect()
  await client.query(`select set_config('app.owner', $1, false)`, [owner])
  await client.query(
    `with objects as (
       insert into stored_objects (user_id, storage_path, file_size) select $1, gen_random_uuid()::text, 9 from generate_series(1, $2) returning id
     ), texts as (
       insert into object_texts (user_id, id, state) select $1, id, 'ready' from objects
     ), parts as (
       insert into object_text_parts (user_id, object_id, number, content)
       select $1, id, number, case number when 1 then 'alpha ' when 12 then 'x' || md5(id::text) || ' ' else '' end || filler
       from objects, generate_series(1, 12) number,
         lateral (select string_agg(md5(id::text || number || word), ' ') as filler from generate_series(1, 20) word)
     )
     insert into files (user_id, object_id, storage_path, file_name, file_size) select $1, id, '', 'file', 9 from objects`,
    [owner, count],
  )
  await client.query(`update object_texts set words = app.collect_words(id) where user_id = $1`, [owner])
  client.release(true) // closes the connection, because its setting `app.owner` would apply to later statements
}

const search = (text: string, sort: 'newest' | 'file_name' = 'newest') => {
  plans.clear()
  const request = { search: text, filter: [], sort, order: 'asc', limit: 50, now: new Date() } as const
  return plans.database.read(callerFor(ada.id), () => readPage<{ id: string }>(files, ada.id, request))
}

/** Returns a word that only one of the texts has. */
const readRareWord = async (): Promise<string> => {
  const { rows } = await app.tableOwner.query<{ word: string }>(
    `select 'x' || md5(object_id::text) as word from files where user_id = $1`,
    [ada.id],
  )
  return rows[100]?.word ?? ''
}

test('a search for a rare or a frequent word reads the index of the words', async () => {
  for (const [text, count] of [
    [await readRareWord(), 1],
    [(await readRareWord()).slice(0, 12), 1],
    ['alpha', 50],
  ] as const) {
    expect((await search(text)).rows).toHaveLength(count)
    expect(plans.readIndexNames()).toContain('object_texts_words')
    const tableScans = plans.readNodes().filter((node) => node['Relation Name'] === 'object_texts' && node['Node Type'] === 'Seq Scan')
    expect(tableScans).toEqual([])
  }
})

test('the part with a word is found among the parts of its text, and the neighbours of this part by their number', async () => {
  const word = await readRareWord()
  const { rows } = await search(word)
  plans.clear()
  const passages = await plans.database.read(callerFor(ada.id), () => readPassages(ada.id, rows.map(({ id }) => id), word)) // prettier-ignore
  expect([...passages.values()].map(({ text }) => text.includes(word))).toEqual([true])
  const partScans = plans.readNodes().filter((node) => isScan(node) && node['Relation Name'] === 'object_text_parts')
  expect(new Set(partScans.map((node) => node['Index Name']))).toEqual(new Set(['object_text_parts_number']))
  // there is no next part; there is a previous part, and 12 parts are compared
  expect(partScans.map((node) => node['Actual Rows'] ?? 0).toSorted((a, b) => a - b)).toEqual([0, 1, 12])
})

test('a search sorted by name looks up each row in a hash table of the found texts', async () => {
  await addFileRows(app, ada.id, 2000, `'a' || number, 1, null::uuid`)
  await app.tableOwner.query(`update files set file_name = 'z' || file_name where user_id = $1 and file_name = 'file'`, [ada.id])
  await app.tableOwner.query('vacuum analyze files')
  expect((await search('alpha', 'file_name')).rows).toHaveLength(50)
  const filters = plans.readNodes().flatMap((node) => node.Filter ?? [])
  expect(filters.filter((filter) => filter.includes('object_id = ANY'))).toEqual([])
  expect(filters.filter((filter) => filter.includes('hashed SubPlan'))).toHaveLength(1)
})

test('a search starts no second PostgreSQL process, even if the planner expects that such a process costs nothing', async () => {
  const request = { search: 'alpha', filter: [], sort: 'file_name', order: 'asc', limit: 50, now: new Date() } as const
  plans.clear()
  await plans.database.transaction(callerFor(ada.id), 'Searched', async () => {
    for (const name of ['parallel_setup_cost', 'parallel_tuple_cost', 'min_parallel_table_scan_size', 'min_parallel_index_scan_size'])
      await sql(`select set_config($1, '0', true)`, [name])
    expect((await readPage(files, ada.id, request)).rows).toHaveLength(50)
  })
  expect(plans.readNodes().filter((node) => node['Node Type'].startsWith('Gather'))).toEqual([])
})
