// The plans of SQL statements on many files and folders: lists read an index without a sort, and checks and restores do little work.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callerFor, type Caller } from '#server/platform/database/transaction.ts'
import { restore } from '#server/platform/journal/undo.ts'
import { readPage, type PageRequest } from '#server/platform/records/page.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addFileRows } from '#server/testing/files.ts'
import { signInAs } from '#server/testing/people.ts'
import { isScan, openPlans, type Plans } from '#server/testing/plans.ts'
import { recordsOf } from '#server/testing/records.ts'
import { files } from './kind.ts'

let app: TestApp
let plans: Plans
let caller: Caller
let folder: string
beforeAll(async () => {
  app = await openTestApp()
  // ada comes last, so `caller` and `folder` are hers in the tests; the files of grace must not be read
  for (const name of ['grace', 'ada'] as const) {
    const person = await signInAs(app, name)
    caller = callerFor(person.id)
    folder = (await recordsOf(person, '/api/folders').add({ name: 'Large' })).id
    // the columns file_name, file_size and folder_id: 3000 files in the folder and 3000 in the root folder
    await addFileRows(app, person.id, 3000, `md5(number::text), number, '${folder}'::uuid`)
    await addFileRows(app, person.id, 3000, `md5(number::text), number, null::uuid`)
  }
  await app.tableOwner.query('vacuum analyze files')
  plans = await openPlans(app)
})
afterAll(async () => {
  await plans.stop()
  await app.stop()
})

const sorts = ['newest', 'file_name', 'file_size'] as const
const cases = sorts.flatMap((sort) => (['asc', 'desc'] as const).map((order) => ({ sort, order })))

test.each(cases)(
  'sorted by $sort $order, pages of a folder and of the root folder are read from their own index without a sort',
  async ({ sort, order }) => {
    const inFolder = [{ field: 'folder_id', is: [folder] }]
    const inRoot = [
      { field: 'folder_id', empty: true },
      { field: 'contact_id', empty: true },
    ]
    for (const [filter, indexPrefix] of [
      [inFolder, 'files_folder_'],
      [inRoot, 'files_root_'],
    ] as const) {
      plans.clear()
      let after: string | undefined
      for (let page = 0; page < 3; page++) {
        const request: PageRequest = { search: '', filter, sort, order, limit: 50, now: new Date(), after }
        const { rows, next } = await plans.database.read(caller, () => readPage(files, caller.owner, request))
        expect(rows).toHaveLength(50)
        after = next ?? undefined
      }
      const indexName = `${indexPrefix}${sort.replace('file_', '')}`
      expect(new Set(plans.readIndexNames())).toEqual(new Set([indexName, 'files_pkey', 'object_texts_pkey', 'object_thumbnails_pkey']))
      expect(plans.readNodes().filter((node) => isScan(node) && node['Rows Removed by Filter'])).toEqual([])
      expect(plans.readNodes().filter((node) => node['Node Type'] === 'Sort')).toEqual([])
    }
  },
)

test('the check that no folder is inside itself reads few rows, even with a plan that was cached when there were few folders', async () => {
  const { id: owner } = await signInAs(app, 'ada')
  const connection = await app.tableOwner.connect()
  /** Adds folders with these numbers. The parent of each folder has half its number. */
  const addFolders = (first: number, last: number) =>
    connection.query(
      `with added as (select number, uuid_in(md5($1 || number)::cstring) as id, uuid_in(md5($1 || number / 2)::cstring) as parent
         from generate_series($2::int, $3::int) number)
       insert into folders (user_id, id, name, parent_folder_id) select $1::uuid, id, number::text, case when number > 1 then parent end from added`,
      [owner, first, last],
    )
  /** Returns the number of rows of `folders` that this transaction has read. */
  const countReadRows = async (): Promise<number> => {
    const { rows } = await connection.query<{ count: number }>(
      `select (seq_tup_read + idx_tup_fetch)::int as count from pg_stat_xact_user_tables where relname = 'folders'`,
    )
    return rows[0]?.count ?? 0
  }
  try {
    await addFolders(1, 9) // PostgreSQL plans the statements of the check, and keeps the plans for later changes on this connection
    await connection.query('begin')
    await addFolders(10, 99)
    const before = await countReadRows()
    await addFolders(100, 999)
    await connection.query(`update folders set parent_folder_id = parent_folder_id where user_id = $1`, [owner])
    // a check that read all folders for each folder would read more than a million rows
    expect((await countReadRows()) - before).toBeLessThan(20_000)
    await connection.query('rollback')
  } finally {
    connection.release()
  }
})

test('the number of statements of a restore does not depend on how deep the folders are inside each other', async () => {
  const person = await signInAs(app, 'ada')
  const paths = ['Top', `Top/${Array.from({ length: 30 }, (_, index) => index).join('/')}`]
  const { rows } = (await person.send({ method: 'POST', url: '/api/folders/paths', payload: { paths } })).json()
  await recordsOf(person, '/api/folders').remove(rows[0].id)
  plans.clear()
  await plans.database.transaction(callerFor(person.id), 'Restored', () => restore(rows[0].id))
  // the undo prepares its work in the temporary table undo_net
  const writes = plans.readNodes().filter((node) => node['Node Type'] === 'ModifyTable' && node['Relation Name'] === 'undo_net')
  expect(writes.length).toBeLessThan(10)
  expect((await person.send({ url: `/api/folders/${rows[1].id}/path` })).json().rows).toHaveLength(31)
})
