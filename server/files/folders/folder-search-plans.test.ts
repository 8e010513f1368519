// A search below a folder reads the indexes of names and of folders, and not all files and folders.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callerFor } from '#server/platform/database/transaction.ts'
import { countRows, readPage, type PageRequest } from '#server/platform/records/page.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { openPlans, type Plans } from '#server/testing/plans.ts'
import { files } from '../kind.ts'
import { readFolders } from './folders.store.ts'

let app: TestApp
let plans: Plans
let ada: Person
let top: string
let inner: string
beforeAll(async () => {
  app = await openTestApp()
  ada = await signInAs(app, 'ada')
  const paths = ['Top', 'Top/1', ...Array.from({ length: 700 }, (_, index) => `Top/${index % 20}/${index}`)]
  const { rows } = (await ada.send({ method: 'POST', url: '/api/folders/paths', payload: { paths } })).json()
  ;[top, inner] = [rows[0].id, rows[1].id]
  // each file has its own stored object, as after uploads
  await app.tableOwner.query(
    `with objects as (
       insert into stored_objects (user_id, storage_path, file_size) select $1, gen_random_uuid()::text, 1 from generate_series(1, 7000) returning id
     ), numbered as (select id, row_number() over () as number from objects),
     ids as (select array_agg(id) as folder_ids from folders where user_id = $1)
     insert into files (user_id, object_id, storage_path, file_name, file_size, folder_id)
     select $1, id, '', 'Offer ' || md5(number::text) || case when number % 700 = 1 then ' rare' else '' end, number,
       folder_ids[number % cardinality(folder_ids) + 1] from numbered, ids`,
    [ada.id],
  )
  await app.tableOwner.query('vacuum analyze files, folders')
  plans = await openPlans(app)
})
afterAll(async () => {
  await plans.stop()
  await app.stop()
})

const read = async <T>(work: () => Promise<T>): Promise<T> => {
  plans.clear()
  return plans.database.read(callerFor(ada.id), work)
}
const listSequentialScans = (): string[] =>
  plans.readNodes().flatMap((node) => (node['Node Type'] === 'Seq Scan' ? [String(node['Relation Name'])] : []))
/** Returns the number of rows that were read and did not match. */
const countRowsRemovedByFilter = (): number => plans.readNodes().reduce((sum, node) => sum + (node['Rows Removed by Filter'] ?? 0), 0)

test.each(['newest', 'file_name', 'file_size'])(
  'sorted by %s, files with a rare word below a folder with 700 folders are found with the index of file names',
  async (sort) => {
    const request: PageRequest = {
      search: 'rare',
      filter: [{ field: 'below_folder_id', is: [top] }],
      sort,
      order: 'asc',
      limit: 50,
      now: new Date(),
    }
    const { rows } = await read(() => readPage(files, ada.id, request))
    expect(rows).toHaveLength(10) // every 700th of 7,000 files
    expect(plans.readIndexNames()).toEqual(expect.arrayContaining(['files_search', 'folders_parent']))
    expect(listSequentialScans()).toEqual([])
    expect(countRowsRemovedByFilter()).toBeLessThan(600) // a search first reads up to 500 rows in the order of the sort
  },
)

test('to count a frequent word below a small folder, the files of this folder are read with an index on their folder', async () => {
  const criteria = { search: 'offer', filter: [{ field: 'below_folder_id', is: [inner] }], now: new Date() }
  const { count } = await read(() => countRows(files, ada.id, criteria))
  expect(count).toBeGreaterThan(300)
  expect(plans.readIndexNames().some((name) => name.startsWith('files_folder_'))).toBe(true)
  expect(listSequentialScans()).toEqual([])
})

test('folders below a folder are found with the index of their parent folders', async () => {
  const { rows } = await read(() => readFolders(ada.id, { search: '699', below_folder_id: top, limit: 50 }, new Date()))
  expect(rows.map(({ name, path }) => [name, path?.map((folder) => folder.name)])).toEqual([['699', ['Top', '19']]])
  expect(plans.readIndexNames()).toContain('folders_parent')
  expect(listSequentialScans()).toEqual([])
})
