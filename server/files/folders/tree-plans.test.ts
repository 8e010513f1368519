// The time of restoring and erasing folders grows with the number of rows in them. It must not grow with the number of pairs of these rows,
// or with the number of levels.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callerFor } from '#server/platform/database/transaction.ts'
import { eraseRow } from '#server/platform/journal/erase.ts'
import { restore } from '#server/platform/journal/undo.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addFileRows } from '#server/testing/files.ts'
import { signInAs } from '#server/testing/people.ts'
import { openPlans, type PlanNode } from '#server/testing/plans.ts'
import { recordsOf } from '#server/testing/records.ts'

const levels = 50
/** A folder on which more than 1,000 rows depend would be deleted in parts, by a job. */
const fileCount = 900
/** The statements now handle at most 150 rows for each file. If they compared each file with all others, it would be more than 900. */
const maxRowsPerFile = 300

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())

/** Returns how many rows the nodes read, returned or compared in all. */
const countRows = (nodes: PlanNode[]): number =>
  nodes.reduce((sum, node) => {
    const rows = (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)
    return sum + rows * (node['Actual Loops'] ?? 0)
  }, 0)

test(`a folder with ${levels} folders inside each other and ${fileCount} files is restored and erased without comparing all rows with all others`, async () => {
  const ada = await signInAs(app, 'ada')
  const folders = recordsOf(ada, '/api/folders')
  const path = Array.from({ length: levels }, (_, level) => level).join('/')
  const { rows } = (await ada.send({ method: 'POST', url: '/api/folders/paths', payload: { paths: ['0', path] } })).json()
  const [top, bottom]: { id: string }[] = rows
  if (!top || !bottom) throw new Error('The folders were not created')
  await addFileRows(app, ada.id, fileCount, `number || '.txt', number, '${bottom.id}'::uuid`)
  const plans = await openPlans(app, { withFunctions: true })
  const caller = callerFor(ada.id)
  try {
    for (const work of [restore, eraseRow]) {
      await folders.remove(top.id)
      plans.clear()
      await plans.database.transaction(caller, 'Test', () => work(top.id).then(() => {}))
      const count = countRows(plans.readNodes())
      expect(count).toBeGreaterThan(fileCount)
      expect(count).toBeLessThan(maxRowsPerFile * fileCount)
    }
  } finally {
    await plans.stop()
  }
  expect((await ada.send({ url: '/api/trash' })).json().rows).toEqual([])
})

test(`erasing one file does not read the ${fileCount} other files in the trash`, async () => {
  const grace = await signInAs(app, 'grace')
  const trashed = await recordsOf(grace, '/api/folders').add({ name: 'Old offers' })
  await app.tableOwner.query('analyze') // the statistics do not count the rows that follow, as in the first seconds after an upload
  await addFileRows(app, grace.id, fileCount, `number || '.txt', number, '${trashed.id}'::uuid`)
  await addFileRows(app, grace.id, 1, `'erased.txt', number, null::uuid`)
  const { rows } = await app.tableOwner.query<{ id: string }>('select id from files where user_id = $1 and folder_id is null', [grace.id])
  const [file] = rows
  if (!file) throw new Error('The file was not created')
  await recordsOf(grace, '/api/folders').remove(trashed.id)
  await recordsOf(grace, '/api/files').remove(file.id)
  const plans = await openPlans(app, { withFunctions: true })
  try {
    await plans.database.transaction(callerFor(grace.id), 'Test', () => eraseRow(file.id))
    // only nodes that read tables of Foyer, because how the catalogs of PostgreSQL are read depends on their statistics
    const nodes = plans.readNodes().filter((node) => !(node['Relation Name'] ?? 'pg_').startsWith('pg_'))
    expect(nodes.length).toBeGreaterThan(0)
    expect(countRows(nodes)).toBeLessThan(fileCount)
  } finally {
    await plans.stop()
  }
  expect((await grace.send({ url: '/api/trash' })).json().rows).toHaveLength(1)
})
