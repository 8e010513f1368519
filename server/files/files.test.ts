// Files as records: lists, names, moves and attachments of contacts.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addFile } from '#server/testing/files.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { readLabel, recordsOf, undo, type ListedRecord } from '#server/testing/records.ts'

let app: TestApp
let ada: Person
let files: ReturnType<typeof recordsOf>
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  files = recordsOf(ada, '/api/files')
})

const namesOf = (rows: ListedRecord[]) => rows.map(({ file_name }) => file_name)
const addFolder = async (name: string): Promise<string> => (await recordsOf(ada, '/api/folders').add({ name })).id
const addContact = async (): Promise<string> => (await recordsOf(ada, '/api/contacts').add({ first_name: 'Ann', last_name: 'Lee' })).id

test('files are listed by folder, contact and root folder, in every order', async () => {
  const [folder_id, contact_id] = [await addFolder('Offers'), await addContact()]
  for (const [index, file_name] of ['b.txt', 'a.txt', 'c.txt'].entries())
    await addFile(ada, { file_name, folder_id }, randomBytes(30 - index))
  await addFile(ada, { file_name: 'attached.txt', contact_id })
  await addFile(ada, { file_name: 'root.txt' })
  const inFolder = [{ field: 'folder_id', is: [folder_id] }]
  expect(namesOf((await files.list({ filter: inFolder })).rows)).toEqual(['c.txt', 'a.txt', 'b.txt'])
  expect(namesOf(await files.listAll({ filter: inFolder, sort: 'file_name', limit: '1' }))).toEqual(['a.txt', 'b.txt', 'c.txt'])
  expect(namesOf(await files.listAll({ filter: inFolder, sort: 'file_size', limit: '1' }))).toEqual(['c.txt', 'a.txt', 'b.txt'])
  expect(namesOf((await files.list({ filter: [{ field: 'contact_id', is: [contact_id] }] })).rows)).toEqual(['attached.txt'])
  const inRoot = [
    { field: 'folder_id', empty: true },
    { field: 'contact_id', empty: true },
  ]
  expect(namesOf((await files.list({ filter: inRoot })).rows)).toEqual(['root.txt'])
  const hits = (await ada.send({ url: '/api/search?search=attached' })).json().hits
  expect(hits).toMatchObject([{ kind: 'file', title: 'attached.txt', detail: 'Ann Lee' }])
})

test('a rename changes the type of a file, and files are moved and deleted, alone and several at once', async () => {
  const folder_id = await addFolder('Offers')
  const { id } = await addFile(ada, { file_name: 'offer.txt' })
  expect(await files.edit(id, { file_name: '../x/Offer.PDF', version: 1 })).toMatchObject({ file_name: 'Offer.PDF', file_type: 'pdf' })
  expect(await files.edit(id, { folder_id })).toMatchObject({ folder_id })
  expect(await files.edit(id, { folder_id: null })).toMatchObject({ folder_id: null })
  const other = await addFile(ada)
  const ids = [id, other.id]
  const moved = await files.post('/bulk/edit', { ids, fields: { folder_id } })
  expect([moved.statusCode, await readLabel(ada, moved)]).toEqual([204, 'Updated 2 files'])
  const missing = await files.patch(id, { folder_id: '01930000-0000-7000-8000-00000000ffff' })
  expect([missing.statusCode, missing.json().fields]).toEqual([404, { folder_id: 'This folder is no longer here' }])
  const deleted = await files.post('/bulk/delete', { ids })
  expect(await readLabel(ada, deleted)).toBe('Deleted 2 files')
  await undo(ada, deleted)
  expect((await files.list()).rows).toHaveLength(2)
})

test('a file that is restored from the trash gets a free name if another file of its place has its name now', async () => {
  const { id } = await addFile(ada, { file_name: 'Offer.txt' })
  const restore = () => ada.send({ method: 'POST', url: `/api/trash/${id}/restore` })
  await files.remove(id)
  await restore()
  expect(await files.get(id)).toMatchObject({ file_name: 'Offer.txt' })
  await files.remove(id)
  await addFile(ada, { file_name: 'Offer.txt' })
  const restored = await restore()
  expect([restored.statusCode, await readLabel(ada, restored)]).toEqual([200, 'Restored'])
  expect(await files.get(id)).toMatchObject({ file_name: 'Offer (2).txt' })
  const undone = await undo(ada, restored)
  expect(namesOf((await files.list()).rows)).toEqual(['Offer.txt'])
  await undo(ada, undone)
  expect(await files.get(id)).toMatchObject({ file_name: 'Offer (2).txt' })
})

test('an attachment is deleted and restored with its contact, and cannot be put into a folder', async () => {
  const [folder_id, contact_id] = [await addFolder('Offers'), await addContact()]
  const { id } = await addFile(ada, { contact_id })
  const refused = await files.patch(id, { folder_id })
  expect([refused.statusCode, refused.json().fields]).toEqual([422, { folder_id: 'An attachment of a contact has no folder' }])
  const both = await ada.send({ method: 'POST', url: '/api/uploads', payload: { file_name: 'a', file_size: 1, folder_id, contact_id } })
  expect([both.statusCode, both.json().fields]).toEqual([422, { contact_id: 'Name a folder or a contact, not both' }])
  const deleted = await recordsOf(ada, '/api/contacts').remove(contact_id)
  expect((await files.list()).rows).toEqual([])
  const undone = await undo(ada, deleted)
  expect((await files.list()).rows).toMatchObject([{ id, contact_id }])
  await undo(ada, undone)
  expect((await ada.send({ url: '/api/trash' })).json().rows).toMatchObject([{ id: contact_id, title: 'Ann Lee' }])
  await ada.send({ method: 'POST', url: `/api/trash/${contact_id}/restore` })
  expect((await files.list()).rows).toMatchObject([{ id, contact_id }])
})

test.each([
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\Ada\\Offer.pdf', 'Offer.pdf'],
  ['a/b/', 'b'],
  [' spaced .txt ', 'spaced .txt'],
  ['.', 'file'],
  ['..', 'file'],
  ['', 'file'],
  [' / ', 'file'],
  ['\u3164\u2800', 'file'],
  ['.env', '.env'],
  ['two\r\nlines.txt', 'twolines.txt'],
  ['evil\u202Efdp.exe', 'evilfdp.exe'],
  ['\u2066marks\u2069\u200F.txt', 'marks.txt'],
  ['soft\u00ADhyphen\u200B\uFEFF.txt', 'softhyphen.txt'],
  ['run.exe\u200B', 'run.exe'],
  ['re\u0301sume\u0301.txt', 'r\u00E9sum\u00E9.txt'],
  ['quote".txt', 'quote".txt'],
  ['👩‍👩‍👧 zdjęcie.png', '👩‍👩‍👧 zdjęcie.png'],
  ['CON', 'CON'],
  ['%2e%2e%2fx.txt', '%2e%2e%2fx.txt'],
  // at most 255 bytes
  [`${'x'.repeat(300)}.pdf`, `${'x'.repeat(251)}.pdf`],
  [`${'ż'.repeat(300)}.pdf`, `${'ż'.repeat(125)}.pdf`],
  ['😀'.repeat(100), '😀'.repeat(63)],
])('the name %j is stored as %j, and sent in a valid header', async (file_name, stored) => {
  const { id, file_name: name } = await addFile(ada, { file_name })
  expect(name).toBe(stored)
  const response = await ada.send({ url: `/api/files/${id}/content` })
  expect(response.headers['content-disposition']).toMatch(/^attachment; filename/)
  expect(String(response.headers['content-disposition'])).toMatch(/^[\x20-\x7E\xA0-\xFF]+$/) // printable Latin-1, as HTTP requires
})

test('names that look equal are equal for a second upload, a rename and a replacement', async () => {
  const [composed, decomposed] = ['Re\u0301sume\u0301.txt'.normalize('NFC'), 'Re\u0301sume\u0301.txt']
  await addFile(ada, { file_name: composed })
  expect((await addFile(ada, { file_name: decomposed })).file_name).toBe('R\u00E9sum\u00E9 (2).txt')
  const { id } = await addFile(ada, { file_name: decomposed, if_exists: 'replace' })
  expect(namesOf((await files.list()).rows)).toEqual([composed, 'R\u00E9sum\u00E9 (2).txt'])
  expect(await files.edit(id, { file_name: 'e\u0301\u202E.txt' })).toMatchObject({ file_name: '\u00E9.txt' })
})

test.each(['a\u0000b.txt', 'half\ud83d.txt'])(
  'the name %j is refused, because PostgreSQL cannot store one of its characters',
  async (file_name) => {
    const response = await ada.send({
      method: 'POST',
      url: '/api/uploads',
      payload: JSON.stringify({ file_name, file_size: 1 }),
      headers: json,
    })
    expect([response.statusCode, response.json().fields]).toEqual([422, { file_name: expect.any(String) }])
  },
)
const json = { 'content-type': 'application/json' }

test.each([
  [{ file_size: -1 }, 'file_size'],
  [{ file_size: 1.5 }, 'file_size'],
  [{ file_size: '1' }, 'file_size'],
  [{ file_size: 79 * 1024 ** 3 }, 'file_size'], // the maximum is about 78 GiB
  [{ file_size: 1, if_exists: 'ask' }, 'if_exists'],
  [{ file_size: 1, folder_id: 'root' }, 'folder_id'],
])('an upload with %j is refused with a message for %s', async (fields, field) => {
  const response = await ada.send({ method: 'POST', url: '/api/uploads', payload: { file_name: 'a.txt', ...fields } })
  expect([response.statusCode, Object.keys(response.json().fields)]).toEqual([422, [field]])
})
