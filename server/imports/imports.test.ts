// Imports of contacts through the routes and the job.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { createXlsx } from '#server/testing/documents.ts'
import { importsOf } from '#server/testing/imports.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf, type ListedRecord } from '#server/testing/records.ts'
import { readOwnedRows } from '#server/testing/rows.ts'

let app: TestApp
let ada: Person
let imports: ReturnType<typeof importsOf>
let contacts: ReturnType<typeof recordsOf>
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  imports = importsOf(ada)
  contacts = recordsOf(ada, '/api/contacts')
})

/** Returns the only contact that the search finds, with all fields. */
async function find(search: string): Promise<ListedRecord> {
  const { rows } = await contacts.list({ search })
  expect(rows).toHaveLength(1)
  return contacts.get(rows[0]?.id ?? '')
}
const countContacts = async (): Promise<number> => (await contacts.query('/count')).json().count
const pickCounts = ({ created, updated, skipped, failed }: { created: number; updated: number; skipped: number; failed: number }) => ({
  created,
  updated,
  skipped,
  failed,
})

test('the rows of a file become contacts, and every row is accounted for', async () => {
  const file = [
    'First Name,Last Name,Email,Phone,Company,Tags,Notes,Favourite colour,Reports To',
    'Ann,Lee,ann@example.org,020 7946 0118,Engines,"VIP, Oak",Met at the fair,blue,Bob Ray',
    'Bob,Ray,bob@example.org,,,,,,',
    'Cy,"Day,cy@example.org,,,,,,',
    ',,,,Engines,,,,',
    ',,,,,,,,',
    'First Name,Last Name,Email,Phone,Company,Tags,Notes,Favourite colour,Reports To',
    ',,dee@example.org,,,,,,Nobody Known',
    'Eve,Fox,not an email,,,,,,',
    'Ann,Lee,ANN@example.org,,,,,,',
  ]
  const result = await imports.run(file.join('\r\n'))
  expect(result).toMatchObject({ status: 'finished', problem: '', rows_total: 9, rows_done: 9, undone: false, table: { preview: [] } })
  expect(pickCounts(result)).toEqual({ created: 4, updated: 0, skipped: 3, failed: 2 })
  expect(result.undo_id).toBe(result.change_id)
  expect(await imports.rows(result.id, 'failed')).toMatchObject([
    { line: 4, column: 'Last Name', reason: 'A quotation mark in this row is never closed.' },
    { line: 5, column: 'First Name', reason: 'This row has no name, email or phone.', cells: ['', '', '', '', 'Engines', '', '', '', ''] },
  ])
  expect(await imports.rows(result.id, 'skipped')).toMatchObject([
    { line: 6, reason: 'This row is empty.' },
    { line: 7, reason: 'This row repeats the header.' },
    { line: 10, reason: 'Nothing to change: the record has all values already.' },
  ])
  const bob = await find('Bob')
  const ann = await find('Ann')
  expect(ann).toMatchObject({ last_name: 'Lee', company: 'Engines', tags: ['VIP', 'Oak'], raw_data: { 'Favourite colour': 'blue' } })
  expect(ann['reports_to_id']).toBe(bob.id)
  expect((await ada.send({ url: `/api/notes?contact_id=${ann.id}` })).json().rows).toMatchObject([{ content: 'Met at the fair' }])
  expect(await find('dee@example.org')).toMatchObject({ last_name: 'dee@example.org', raw_data: { 'Reports To': 'Nobody Known' } })
  expect(await find('Eve')).toMatchObject({ email: '', raw_data: { Email: 'not an email' } })
  expect((await ada.send({ url: '/api/changes/recent' })).json().rows[0]).toMatchObject({
    change: result.change_id,
    actor: `import:${result.id}`,
    label: 'Imported 4 contacts',
  })
  expect((await ada.send({ url: '/api/storage' })).json()).toMatchObject({ used_bytes: 0 }) // the imported file is deleted
})

describe('with contacts that exist already', () => {
  const file = 'First name,Last name,Email,Title,Tags\nAnn,Lee,ann@example.org,CEO,new\nBob,Ray,bob@example.org,,\n'
  beforeEach(async () => {
    await contacts.add({
      first_name: 'Anne',
      last_name: 'Lee',
      email: 'Ann@example.org',
      title: 'Clerk',
      department: 'Sales',
      tags: ['old'],
    })
  })

  test('the mode create adds only contacts that do not exist', async () => {
    const result = await imports.run(file, { mode: 'create' })
    expect(pickCounts(result)).toEqual({ created: 1, updated: 0, skipped: 1, failed: 0 })
    expect(await imports.rows(result.id, 'skipped')).toMatchObject([
      { line: 2, reason: 'There is already a contact with this email or phone.' },
    ])
    expect(await find('Anne')).toMatchObject({ title: 'Clerk', tags: ['old'] })
  })

  test('the mode update changes only existing contacts; empty cells change nothing', async () => {
    const result = await imports.run(file, { mode: 'update' })
    expect(pickCounts(result)).toEqual({ created: 0, updated: 1, skipped: 1, failed: 0 })
    expect(await imports.rows(result.id, 'skipped')).toMatchObject([{ line: 3, reason: 'No contact has this email or phone.' }])
    expect(await find('Lee')).toMatchObject({ first_name: 'Ann', title: 'CEO', department: 'Sales', tags: ['old', 'new'] })
    expect(await countContacts()).toBe(1)
  })

  test('the mode both adds and changes contacts; the same file again changes nothing', async () => {
    expect(pickCounts(await imports.run(file))).toEqual({ created: 1, updated: 1, skipped: 0, failed: 0 })
    expect(pickCounts(await imports.run(file))).toEqual({ created: 0, updated: 0, skipped: 2, failed: 0 })
  })

  test('an undo restores all columns, a redo imports again, and the import shows both', async () => {
    await contacts.add({ first_name: 'Zed', last_name: 'Ray', email: 'bob@example.org' })
    const before = await readOwnedRows(app, ada.id, { onlyJournaled: true })
    const result = await imports.run(`${file}Cy,Day,cy@example.org,,\n`)
    expect(pickCounts(result)).toEqual({ created: 1, updated: 2, skipped: 0, failed: 0 })
    const after = await readOwnedRows(app, ada.id, { onlyJournaled: true })
    await imports.undo(result.undo_id)
    expect(await readOwnedRows(app, ada.id, { onlyJournaled: true })).toEqual(before)
    const undone = await imports.get(result.id)
    expect(undone).toMatchObject({ status: 'finished', undone: true, undo_id: null })
    const { rows } = (await ada.send({ url: '/api/changes/recent?limit=1' })).json()
    expect(undone.redo_id).toBe(rows[0].change)
    await imports.undo(undone.redo_id)
    expect(await readOwnedRows(app, ada.id, { onlyJournaled: true })).toEqual(after)
    const redone = await imports.get(result.id)
    expect(redone).toMatchObject({ undone: false, redo_id: null })
    await imports.undo(redone.undo_id)
    expect(await readOwnedRows(app, ada.id, { onlyJournaled: true })).toEqual(before)
  })
})

test('an undone import has the number of contacts that the undo has kept, also after a redo and a second undo', async () => {
  await contacts.add({ first_name: 'Ann', last_name: 'Lee', email: 'ann@example.org' })
  const lines = ['Ann,Lee,ann@example.org,Rome,', 'Bob,Ray,bob@example.org,Rome,Called', 'Cy,Day,cy@example.org,Rome,Wrote']
  const { id, undo_id: undoId } = await imports.run(['First name,Last name,Email,City,Notes', ...lines].join('\n'))
  const { rows } = await contacts.list({ sort: 'name' })
  const [ann = '', bob = ''] = rows.map((row) => row.id)
  await contacts.edit(ann, { mailing_city: 'Oslo' })
  await contacts.edit(bob, { phone: '020 7946 0118' })
  await imports.undo(undoId)
  const undone = await imports.get(id)
  expect(undone).toMatchObject({ created: 2, updated: 1, undone: true, kept: 2 })
  await imports.undo(undone.redo_id)
  const redone = await imports.get(id)
  expect(redone).toMatchObject({ undone: false, kept: 0 })
  await imports.undo(redone.undo_id)
  expect(await imports.get(id)).toMatchObject({ undone: true, kept: 2 })
  await contacts.remove(bob)
  expect((await ada.send({ url: '/api/imports' })).json().rows).toMatchObject([{ id, kept: 1 }])
})

test('managers are found by name or email anywhere in the file, and a link that would make a circle is left out', async () => {
  const file =
    'First name,Last name,Email,Reports to\nAnn,Lee,a@example.org,c@example.org\nBob,Ray,b@example.org,ann  LEE\nCy,Day,c@example.org,Bob Ray\n'
  const result = await imports.run(file)
  expect(pickCounts(result)).toEqual({ created: 3, updated: 0, skipped: 0, failed: 0 })
  const [ann, bob, cy] = [await find('Ann'), await find('Bob'), await find('Cy')]
  expect([ann['reports_to_id'], bob['reports_to_id'], cy['reports_to_id']]).toEqual([cy.id, ann.id, null])
  expect(cy['raw_data']).toEqual({ 'Reports to': 'Bob Ray' })
  expect(pickCounts(await imports.run(file))).toEqual({ created: 0, updated: 0, skipped: 3, failed: 0 })
})

test('an email with an international domain is the same in a form, in an import and as the name of a manager', async () => {
  await contacts.add({ first_name: 'Ann', last_name: 'Lee', email: 'ann@Bücher.example' })
  expect(await find('Ann')).toMatchObject({ email: 'ann@xn--bcher-kva.example' })
  const file =
    'First name,Last name,Email,Reports to\nAnn,Lee,ann@bücher.example,\nBob,Ray,Bob <bob@παράδειγμα.example>,ann@bücher.example\nCy,Day,müller@bücher.example,Ann Lee\n'
  const result = await imports.run(file)
  expect(pickCounts(result)).toEqual({ created: 2, updated: 0, skipped: 1, failed: 0 })
  const [bob, cy] = [await find('Bob'), await find('Cy')]
  expect(bob).toMatchObject({ email: 'bob@xn--hxajbheg2az3al.example', reports_to_id: (await find('Ann')).id })
  expect(cy).toMatchObject({ email: '', raw_data: { Email: 'müller@bücher.example' } }) // only the domain can have other letters
})

test('the change in the history names the number of contacts, also if several rows are about one of them', async () => {
  await contacts.add({ first_name: 'Dee', last_name: 'Fox', email: 'dee@example.org' })
  const rows = ['Ann,Lee,ann@example.org,A,', 'Ann,Lee,ann@example.org,B,', 'Ann,Lee,ann@example.org,C,Met', 'Dee,Fox,dee@example.org,,Met']
  const result = await imports.run(['First name,Last name,Email,Title,Notes', ...rows].join('\n'))
  expect(pickCounts(result)).toEqual({ created: 1, updated: 3, skipped: 0, failed: 0 })
  expect((await ada.send({ url: '/api/changes/recent' })).json().rows[0]).toMatchObject({ label: 'Imported 2 contacts' })
})

test('the file of the failed rows can be corrected and imported without failures', async () => {
  const people = Array.from({ length: 200 }, (_, index) =>
    index % 10 === 0 ? `,,,"=SUM(A1), ""x""",${index}` : `Ann${index},Lee,ann${index}@example.org,blue,${index}`,
  )
  const result = await imports.run(['First name,Last name,Email,Colour,Number', ...people].join('\n'))
  expect(pickCounts(result)).toEqual({ created: 180, updated: 0, skipped: 0, failed: 20 })
  const file = await imports.failedRows(result.id)
  expect(file.split('\r\n')).toHaveLength(22)
  const corrected = file.replaceAll(/^,,/gm, 'Mended,,')
  const second = await imports.run(corrected)
  expect(pickCounts(second)).toEqual({ created: 20, updated: 0, skipped: 0, failed: 0 })
  const { rows } = await contacts.list({ search: 'Mended', limit: '1' })
  expect((await contacts.get(rows[0]?.id ?? ''))['raw_data']).toMatchObject({ Colour: '=SUM(A1), "x"' })
})

test('a row with more than 1,048,576 characters fails, and a cell with 250,000 characters is kept in raw_data', async () => {
  const result = await imports.run(
    ['First name,Email,Story', `Ann,ann@example.org,${'word '.repeat(50_000)}`, 'x'.repeat(3_000_000), 'Bob,bob@example.org,short'].join(
      '\n',
    ),
  )
  expect(pickCounts(result)).toEqual({ created: 2, updated: 0, skipped: 0, failed: 1 })
  expect(await imports.rows(result.id, 'failed')).toMatchObject([{ line: 3, reason: 'This row is longer than 1,048,576 characters.' }])
  expect(String(Object.values((await find('Ann'))['raw_data'] ?? {})[0])).toHaveLength(249_999) // without the space at the end
})

test('a page of very long rows has few rows, and the pages together have all rows', async () => {
  const rows = Array.from({ length: 4 }, (_, index) => `,,${String(index).repeat(900_000)}`)
  const { id, failed } = await imports.run(['First name,Email,Story', ...rows].join('\n'))
  expect(failed).toBe(4)
  const first = (await ada.send({ url: `/api/imports/${id}/rows?status=failed` })).json()
  expect([first.rows.length, first.next]).toEqual([3, expect.any(String)])
  expect((await imports.rows(id, 'failed')).map(({ line }) => line)).toEqual([2, 3, 4, 5])
  expect((await imports.failedRows(id)).trim().split('\r\n')).toHaveLength(5)
})

test('the first page of the failed rows counts them by reason, also if their cells differ', async () => {
  const { id } = await imports.run(
    'Name,Email,City\nAnn,ann@example.org,Rome\nBob,bob@example.org,Rome\n,nope,Rome\n,,Rome\n,not “an” email,Rome\n',
  )
  const page = async (after: string) => (await ada.send({ url: `/api/imports/${id}/rows?status=failed&limit=1${after}` })).json()
  const { next, reasons } = await page('')
  expect(reasons).toEqual([
    { column: 'Email', reason: '“…” is not an email.', count: 2 },
    { column: 'Name', reason: 'This row has no name, email or phone.', count: 1 },
  ])
  expect((await page(`&after=${next}`)).reasons).toEqual([])
})

test('a file that is damaged after its first rows imports nothing', async () => {
  const rows = [['Name', 'Email'], ...Array.from({ length: 3000 }, (_, index) => [`Ann Lee${index}`, `ann${index}@example.org`])]
  const whole = createXlsx(rows)
  const { id } = await imports.upload(whole, { fileName: 'people.xlsx' })
  const { rows: objects } = await app.tableOwner.query<{ path: string }>(
    'select storage_path as path from stored_objects where user_id = $1',
    [ada.id],
  )
  const part = join(app.filesFolder, objects[0]?.path ?? '', '0')
  const bytes = readFileSync(part)
  bytes.fill(0, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 500)
  writeFileSync(part, bytes)
  await imports.start(id)
  expect(await imports.waitForEnd(id)).toMatchObject({
    status: 'failed',
    problem: 'This file is damaged or not complete. Export it again.',
    created: 0,
  })
  expect(await countContacts()).toBe(0)
})

test('a started import cannot be changed or started again; deleting it after its end keeps its contacts', async () => {
  const { id } = await imports.upload('Name,Email\nAnn Lee,ann@example.org\n')
  await imports.start(id)
  expect((await imports.get(id)).table).toMatchObject({ columns: [{ header: 'Name', samples: [] }, {}], preview: [] })
  const again = await ada.send({ method: 'POST', url: `/api/imports/${id}/start`, payload: { mode: 'both' } })
  expect(again.json()).toMatchObject({ status: 409, code: 'import_started' })
  expect((await ada.send({ method: 'PATCH', url: `/api/imports/${id}`, payload: { has_header: true } })).json().code).toBe('import_started')
  await imports.waitForEnd(id)
  expect((await ada.send({ method: 'DELETE', url: `/api/imports/${id}` })).statusCode).toBe(204)
  expect(await countContacts()).toBe(1)
})

test('a long note becomes several notes with all of its characters', async () => {
  const note = `${'a'.repeat(9999)}${'😀'.repeat(6000)}`
  await imports.run(`First name,Email,Notes\nAnn,ann@example.org,${note}\n`)
  const [ann] = (await contacts.list()).rows
  const { rows } = (await ada.send({ url: `/api/notes?contact_id=${ann?.id}` })).json()
  expect(rows.map(({ content }: { content: string }) => content).toSorted()).toEqual(['a'.repeat(9999), '😀'.repeat(6000)])
})
