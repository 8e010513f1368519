// Imports of files with empty rows: a run of them is one entry of the report, however long it is.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ImportRowReason } from '#contract/imports.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { createZip } from '#server/testing/create-zip.ts'
import { importsOf } from '#server/testing/imports.ts'
import { signInAs, type Person } from '#server/testing/people.ts'

let app: TestApp
let ada: Person
let imports: ReturnType<typeof importsOf>
beforeAll(async () => {
  app = await openTestApp()
  ada = await signInAs(app, 'ada')
  imports = importsOf(ada)
})
afterAll(() => app.stop())

/** Returns an Excel file with these cells in the first column of the rows with these numbers. */
function createSheet(cells: Record<number, string>): Buffer {
  const rows = Object.entries(cells).map(([line, text]) => `<row r="${line}"><c t="inlineStr"><is><t>${text}</t></is></c></row>`)
  return createZip([
    { name: 'xl/workbook.xml', content: `<workbook xmlns:r="r"><sheets><sheet name="People" r:id="r1"/></sheets></workbook>` },
    { name: 'xl/_rels/workbook.xml.rels', content: `<Relationships><Relationship Id="r1" Target="worksheets/sheet.xml"/></Relationships>` },
    { name: 'xl/worksheets/sheet.xml', content: `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>` },
  ])
}

const readReasons = async (id: string): Promise<ImportRowReason[]> =>
  (await ada.send({ url: `/api/imports/${id}/rows?status=skipped` })).json().reasons

test('a million empty rows of a sheet count as skipped, and are one entry of the report', async () => {
  const file = createSheet({ 1: 'Email', 2: 'ann@example.org', 4: 'bob@example.org', 1_048_575: 'nonsense', 1_048_576: ' ' })
  const result = await imports.run(file, { fileName: 'people.xlsx' })
  const counts = { created: 2, skipped: 1_048_571, failed: 1, rows_done: 1_048_574, rows_total: 1_048_574 }
  expect(result).toMatchObject({ status: 'finished', ...counts })
  expect(await imports.rows(result.id, 'skipped')).toMatchObject([
    { line: 3, reason: 'This row is empty.' },
    { line: 5, reason: 'These 1,048,570 rows are empty.', cells: [] },
  ])
  expect(await imports.rows(result.id, 'failed')).toMatchObject([{ line: 1_048_575 }])
  expect(await readReasons(result.id)).toEqual([{ column: '', reason: 'This row is empty.', count: 1_048_571 }])
})

test('empty rows at the end of a text are not counted, and those between its rows are one entry', async () => {
  const file = `Email,City\neve@example.org,Rome\n${'\n,\n'.repeat(1000)}fay@example.org,Oslo\n${'\n'.repeat(10_000)}`
  const result = await imports.run(file)
  expect(result).toMatchObject({ status: 'finished', created: 2, skipped: 2000, failed: 0, rows_done: 2002, rows_total: 2002 })
  expect(await imports.rows(result.id, 'skipped')).toMatchObject([{ line: 3, reason: 'These 2,000 rows are empty.' }])
  expect(await imports.run(`Email,City\n${',\n'.repeat(10)}`)).toMatchObject({ status: 'finished', rows_done: 0, rows_total: 0 })
})

test('an import continues inside a run of empty rows, as an earlier version may have stored it', async () => {
  const { id } = await imports.upload(`Email\ncy@example.org${'\n'.repeat(6)}dee@example.org`)
  await app.tableOwner.query('update imports set rows_done = 3, skipped_count = 3 where id = $1', [id])
  await imports.start(id)
  expect(await imports.waitForEnd(id)).toMatchObject({ status: 'finished', created: 1, skipped: 6, rows_done: 7, rows_total: 7 })
  expect(await imports.rows(id, 'skipped')).toMatchObject([{ line: 5, reason: 'These 3 rows are empty.' }])
})
