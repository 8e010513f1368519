// Rows of deals and tasks that name a company or a contact that no record or several records have.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ImportKind, ImportMode } from '#contract/imports.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { importsOf } from '#server/testing/imports.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf } from '#server/testing/records.ts'

let app: TestApp
let ada: Person
let imports: ReturnType<typeof importsOf>
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  imports = importsOf(ada)
})

async function run(kind: ImportKind, lines: readonly string[], mode: ImportMode = 'both') {
  const { created, updated, skipped, failed } = await imports.run(lines.join('\n'), { kind, mode, fileName: `${kind}.csv` })
  return { created, updated, skipped, failed }
}
/** Returns the records, the oldest first. */
async function readAll(path: string) {
  const records = recordsOf(ada, path)
  const { rows } = await records.list()
  return Promise.all(rows.toReversed().map(({ id }) => records.get(id)))
}

test('deals with one title and different unknown companies are different deals, and each is found again by the name of its company', async () => {
  const deals = recordsOf(ada, '/api/deals')
  await deals.add({ title: 'Renewal', value: 7 })
  await recordsOf(ada, '/api/companies').add({ name: 'Twin' })
  await recordsOf(ada, '/api/companies').add({ name: 'TWIN' })
  const lines = ['Deal name,Amount,Company', 'Renewal,100,Acme', 'Renewal,200,Béta', 'Renewal,300,Twin']
  expect(await run('deal', lines, 'update')).toEqual({ created: 0, updated: 0, skipped: 3, failed: 0 })
  expect(await run('deal', lines, 'create')).toEqual({ created: 3, updated: 0, skipped: 0, failed: 0 })
  const expected = [
    { value: 7, description: '' },
    { value: 100, description: 'Company: Acme' },
    { value: 200, description: 'Company: Béta' },
    { value: 300, description: 'Company: Twin' },
  ]
  expect(await readAll('/api/deals')).toMatchObject(expected)
  for (const mode of ['create', 'both'] as const)
    expect(await run('deal', lines, mode)).toEqual({ created: 0, updated: 0, skipped: 3, failed: 0 })
  const changed = [
    'Deal name,Amount,Company',
    'Renewal,150,ACME',
    'Renewal,250,beta',
    'Renewal,8,',
    'Renewal,400,Gamma',
    'Renewal,450,gamma',
  ]
  const { id, ...counts } = await imports.run(changed.join('\n'), { kind: 'deal', fileName: 'deal.csv' })
  expect(counts).toMatchObject({ created: 1, updated: 4, skipped: 0, failed: 0 })
  expect((await imports.rows(id, 'remark')).map(({ line }) => line)).toEqual([5])
  expect((await readAll('/api/deals')).map(({ value }) => value)).toEqual([8, 150, 250, 300, 450])
})

test('tasks with one title and different unknown contacts are different tasks', async () => {
  const lines = ['Task,Due date,Contact', 'Call,,Ann Lee', 'Call,,Bob Ray', 'Call,2026-12-03,Bob Ray', 'Call,,']
  expect(await run('task', lines)).toEqual({ created: 4, updated: 0, skipped: 0, failed: 0 })
  expect(await run('task', lines)).toEqual({ created: 0, updated: 0, skipped: 4, failed: 0 })
})

test('a name that was not found stays in the description that another import replaces, also if the name has a line break', async () => {
  const lines = (text: string) => ['Deal name,Description,Company,Contact', `Boiler,"${text}","Acme\nWorks",Ann Lee`]
  expect(await run('deal', lines('Old\nCompany: Oak'))).toMatchObject({ created: 1 })
  expect(await run('deal', lines('Old\nCompany: Oak'))).toMatchObject({ updated: 0, skipped: 1 })
  const { id } = await imports.run(lines('New').join('\n'), { kind: 'deal', fileName: 'deal.csv' })
  expect(await imports.rows(id, 'remark')).toEqual([])
  expect(await readAll('/api/deals')).toMatchObject([{ description: 'New\n\nContact: Ann Lee\nCompany: Acme Works' }])
})

test('an exported deal with an unknown company is found by the line of its description', async () => {
  await run('deal', ['Deal name,Company', 'Boiler,Acme', 'Boiler,'])
  const exported = await recordsOf(ada, '/api/deals').post('/export', { matching: {} })
  expect(await run('deal', exported.body.split('\n'))).toEqual({ created: 0, updated: 0, skipped: 2, failed: 0 })
})
