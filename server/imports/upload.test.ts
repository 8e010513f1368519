// Files that are uploaded for an import: what is found in them, how the user corrects it, and what is refused.
import { existsSync, readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { ImportDetails } from '#contract/imports.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { later } from '#server/testing/cleaning.ts'
import { createXlsx } from '#server/testing/documents.ts'
import { importsOf } from '#server/testing/imports.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { encode } from './reading/testing.ts'

let app: TestApp
let ada: Person
beforeAll(async () => {
  app = await openTestApp({ fileLimits: { quotaBytes: 30 * 1024 ** 2, jsonFileBytes: 1024 ** 2 } })
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
})

const send = (content: string | Buffer, fileName = 'people.csv', kind = 'contact') =>
  ada.send({
    method: 'POST',
    url: `/api/imports?${new URLSearchParams({ file_name: fileName, kind }).toString()}`,
    payload: Buffer.from(content),
    headers: { 'content-type': 'application/octet-stream' },
  })

async function upload(...file: Parameters<typeof send>): Promise<ImportDetails> {
  const response = await send(...file)
  expect(response.statusCode, response.body).toBe(201)
  return response.json()
}

const change = (id: string, payload: object) => ada.send({ method: 'PATCH', url: `/api/imports/${id}`, payload })
const storageUse = async (): Promise<{ used_bytes: number }> => (await ada.send({ url: '/api/storage' })).json()
const people = 'First name;Last name;E-mail;Favourite colour\nJürgen;Groß;jg@example.org;blue\nAnn;;;\n;;;red\n'

test('the numbers of an Excel file have a decimal point also before three digits, unless its texts have thousands separators', async () => {
  const readAmounts = async (...amounts: (string | number)[]) => {
    const { table } = await upload(createXlsx([['Deal name', 'Amount'], ...amounts.map((amount) => ['Oak', amount])]), 'deals.xlsx', 'deal')
    return table.preview.map(({ record }) => record.fields['value'])
  }
  expect(await readAmounts(12.375, 20, 'CHF 1,200')).toEqual([12.38, 20, 1200])
  expect(await readAmounts('1.500 €', '1.125 €')).toEqual([1500, 1125])
})

test('an uploaded file is described with its columns and a preview of its records', async () => {
  const created = await upload(encode(people, 'windows-1252'))
  expect(created).toMatchObject({
    kind: 'contact',
    file_name: 'people.csv',
    status: 'uploaded',
    rows_done: 0,
    change_id: null,
    undo_id: null,
  })
  expect(created.table).toMatchObject({
    format: 'delimited',
    encoding: 'windows-1252',
    separator: ';',
    has_header: true,
    columns: [
      { header: 'First name', samples: ['Jürgen', 'Ann'], field: 'first_name', certainty: 'sure', reason: 'header' },
      { header: 'Last name', field: 'last_name' },
      { header: 'E-mail', field: 'email' },
      { header: 'Favourite colour', field: null },
    ],
  })
  expect(created.table.preview.map(({ line, record }) => ({ line, ...record }))).toMatchObject([
    {
      line: 2,
      fields: { first_name: 'Jürgen', last_name: 'Groß', email: 'jg@example.org' },
      raw_data: { 'Favourite colour': 'blue' },
      problem: '',
    },
    { line: 3, fields: { first_name: 'Ann' }, problem: '' },
    { line: 4, raw_data: { 'Favourite colour': 'red' }, problem: 'This row has no name, email or phone.' },
  ])
  expect((await ada.send({ url: `/api/imports/${created.id}` })).json()).toEqual(created)
  expect((await ada.send({ url: '/api/imports' })).json()).toMatchObject({ rows: [{ id: created.id, status: 'uploaded' }], next: null })
})

test('the rows are counted before the import, in a large file only the first ones', async () => {
  const findings = async (content: string): Promise<string | undefined> => (await upload(content)).table.findings[0]?.message
  // the empty row is not counted, and the row whose quote has no end is counted
  expect(await findings('Name,Email\nAnn Lee,ann@example.org\n,\nBob Ray,bob@example.org\nCy,"Day,cy@example.org\n')).toBe(
    '3 rows were found.',
  )
  expect(await findings('Name,Email\nAnn Lee,ann@example.org\n')).toBe('One row was found.')
  expect(await findings('Name,Email\n')).toBe('No rows were found.')
  expect(await findings(`Name,Email\n${'Ann Lee,ann@example.org\n'.repeat(20_000)}`)).toMatch(/^More than [\d,]+ rows were found\.$/)
  let time = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (time += 1000)) // the time to count is over after the first row
  expect(await findings('Name,Email\nAnn Lee,ann@example.org\n')).toBe('The rows were not counted.')
  clock.mockRestore()
})

test('the user corrects the separator, the header and the fields', async () => {
  const { id } = await upload('Ann|Lee,ann@example.org\nBob|Ray,bob@example.org\n')
  const corrected = await change(id, { separator: '|', has_header: false })
  expect(corrected.json().table).toMatchObject({ separator: '|', has_header: false, columns: [{}, {}] })
  const chosen = await change(id, { fields: ['last_name', null] })
  expect(chosen.json().table.columns).toMatchObject([{ field: 'last_name', certainty: 'sure', reason: 'chosen' }, { field: null }])
  expect(chosen.json().table.preview[0].record.fields).toEqual({ last_name: 'Ann' })
  expect((await change(id, { fields: ['surname', null] })).json().fields).toEqual({ 'fields.0': 'A contact has no such field.' })
  expect((await change(id, { fields: [] })).json().fields).toHaveProperty('fields')
  expect((await change(id, { sheet: 'Sheet 2' })).json().fields).toHaveProperty('sheet')
  for (const separator of ['"', '\n', '\r'])
    expect((await change(id, { separator })).json().fields).toEqual({ separator: 'A quotation mark or a line break cannot separate cells' })
})

test('the encoding that the user chooses is used for the preview and for the import', async () => {
  const { id, table } = await upload(encode('Name;City\nSlađana;Oslo\n', 'windows-1250'))
  // a wrong guess, which the user corrects: the byte of đ is ğ in the encoding for Turkish
  expect(table).toMatchObject({ encoding: 'windows-1254', columns: [{ samples: ['Slağana'] }, {}] })
  const corrected = (await change(id, { encoding: 'windows-1250' })).json().table
  expect(corrected).toMatchObject({ encoding: 'windows-1250', columns: [{ samples: ['Slađana'] }, {}] })
  const imports = importsOf(ada)
  await imports.start(id)
  await imports.waitForEnd(id)
  const { rows } = (await ada.send({ url: '/api/contacts' })).json()
  expect(rows).toMatchObject([{ first_name: 'Slađana' }])
  expect((await change(id, { encoding: 'koi8-r' })).json().fields).toHaveProperty('encoding')
})

test('amounts and dates of a column that the user has chosen are read in the format of the column', async () => {
  const { id } = await upload('Name,Xyzzy,Plugh\nEngine,"1.234,50",31/12/2026\n', 'deals.csv', 'deal')
  const response = await change(id, { fields: ['title', 'value', 'expected_close_date'] })
  expect(response.json().table.preview[0].record.fields).toEqual({ title: 'Engine', value: 1234.5, expected_close_date: '2026-12-31' })
})

test.each([
  ['', 'people.csv', 'file', 'This file is empty.'],
  [' \n \n', 'people.csv', 'file', 'This file is empty.'],
  ['%PDF-1.7', 'people.csv', 'file', 'This file has no table. Choose a CSV file, an Excel file, a vCard file or a text.'],
  ['PK\x03\x04 nonsense', 'people.xlsx', 'file', 'This file is damaged or not complete. Export it again.'],
  ['Ann, 020 7946 0118', 'people.vcf', 'file', 'This file has no contacts. Export it again as vCard.'],
  ['BEGIN:VCARD\nVERSION:3.0\nEND:VCARD', 'people.vcf', 'file', 'This file has no contacts. Export it again as vCard.'],
  ['Name\nAnn', 'people.pdf', 'file_name', 'Choose a .csv, .txt, .text, .tsv, .vcf or .xlsx file.'],
  ['Name\nAnn', 'people', 'file_name', 'Choose a .csv, .txt, .text, .tsv, .vcf or .xlsx file.'],
  ['Name\nAnn', 'people.xls', 'file_name', 'This is an Excel file of an old format. Open it and save it as .xlsx.'],
])('the file %j named %s is refused with a sentence, and nothing is kept', async (content, fileName, field, sentence) => {
  const response = await send(content, fileName)
  expect([response.statusCode, response.json().fields]).toEqual([422, { [field]: sentence }])
  expect((await ada.send({ url: '/api/imports' })).json().rows).toEqual([])
  expect(await storageUse()).toMatchObject({ used_bytes: 0 })
  await expect.poll(() => existsSync(join(app.filesFolder, ada.id)) && readdirSync(join(app.filesFolder, ada.id)).length > 0).toBe(false)
})

test('a file of several parts counts towards the space of the account until its import is deleted', async () => {
  const content = Buffer.from(`Name,Email\n${'Ann,ann@example.org\n'.repeat(900_000)}`)
  const { id, file_size: size } = await upload(content)
  expect(size).toBe(content.byteLength)
  expect(await storageUse()).toMatchObject({ used_bytes: size, file_count: 0 })
  expect((await send(content)).json()).toMatchObject({ code: 'quota_exceeded' })
  await app.runSchedule('unneeded stored objects', later(2)) // keeps the file, which is read again below
  expect((await change(id, { has_header: true })).statusCode).toBe(200)
  expect((await ada.send({ method: 'DELETE', url: `/api/imports/${id}` })).statusCode).toBe(204)
  expect(await storageUse()).toMatchObject({ used_bytes: 0 })
  await expect.poll(() => existsSync(join(app.filesFolder, ada.id))).toBe(false)
})

test('the file of an import that was not started is deleted with the account', async () => {
  await upload(people)
  const response = await ada.send({ method: 'POST', url: '/api/account/delete', payload: { password: 'engine no. 1' } })
  expect(response.statusCode, response.body).toBe(204)
  await expect.poll(() => existsSync(join(app.filesFolder, ada.id))).toBe(false)
})

test('an upload that breaks off leaves no import and is not listed with the uploads of files', async () => {
  const address = await app.server.listen({ port: 0, host: '127.0.0.1' })
  const sent = request(`${address}/api/imports?file_name=people.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ada.token}`, 'content-length': 20_000_000 },
  })
  sent.on('error', () => {})
  sent.write('Name,Email\n'.repeat(1_000_000))
  await expect.poll(async () => (await storageUse()).used_bytes).toBe(20_000_000) // the whole Content-Length, although less was sent
  expect((await ada.send({ url: '/api/uploads' })).json().rows).toEqual([])
  sent.destroy()
  await expect.poll(async () => (await storageUse()).used_bytes).toBe(0)
  expect((await ada.send({ url: '/api/imports' })).json().rows).toEqual([])
})

test('characters that the database cannot store are left out', async () => {
  const { table } = await upload('First name,Email\nA\0nn,ann@example.org\n')
  expect(table.preview[0]?.cells).toEqual(['Ann', 'ann@example.org'])
})
