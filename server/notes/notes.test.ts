import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { readLabel, recordsOf, undo, type ListedRecord } from '#server/testing/records.ts'
import { readOwnedRows } from '#server/testing/rows.ts'

let app: TestApp
let ada: Person
let notes: ReturnType<typeof recordsOf>
let contacts: ReturnType<typeof recordsOf>
let contact_id: string
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  notes = recordsOf(ada, '/api/notes')
  contacts = recordsOf(ada, '/api/contacts')
  contact_id = (await contacts.add({ first_name: 'Ann', last_name: 'Lee', description: 'One\nline' })).id
})

const requestNotes = (contact: string, page: Record<string, string> = {}, person = ada) =>
  person.send({ url: `/api/notes?${new URLSearchParams({ contact_id: contact, ...page }).toString()}` })
const readNotes = async (page = {}): Promise<{ rows: ListedRecord[]; next: string | null; count: number }> =>
  (await requestNotes(contact_id, page)).json()

test('notes are listed newest first, page by page, with their count', async () => {
  const other = await contacts.add({ first_name: 'Bob', last_name: 'Lee' })
  await notes.add({ contact_id: other.id, content: 'Of Bob' })
  for (const content of ['First', ' Second\nline ', 'Third']) await notes.add({ contact_id, content })
  const { rows, next, count } = await readNotes({ limit: '2' })
  expect(rows.map(({ content }) => content)).toEqual(['Third', 'Second\nline'])
  expect(count).toBe(3)
  const secondPage = await readNotes({ limit: '2', after: next })
  expect([secondPage.rows.map(({ content }) => content), secondPage.next, secondPage.count]).toEqual([['First'], null, 3])
})

test('the list is empty for a contact without notes; the contact of another owner or an unknown contact is not found', async () => {
  expect(await readNotes()).toEqual({ rows: [], next: null, count: 0 })
  const grace = await signInAs(app, 'grace')
  for (const response of [await requestNotes('01930000-0000-7000-8000-00000000ffff'), await requestNotes(contact_id, {}, grace)])
    expect(response.json()).toMatchObject({ code: 'not_found' })
  const response = await recordsOf(grace, '/api/notes').post('', { contact_id, content: 'Hello' })
  expect(response.json()).toMatchObject({ code: 'not_found', fields: { contact_id: 'This contact is no longer here' } })
  expect((await requestNotes('nonsense')).statusCode).toBe(422)
})

test.each([
  [{ content: '' }, 'content'],
  [{ content: ' \n ' }, 'content'],
  [{ content: '\u200B\n\u200E' }, 'content'],
  [{ content: 'x'.repeat(20_001) }, 'content'],
  [{ content: 'Hello', contact_id: null }, 'contact_id'],
])('%j is refused with a message for %s', async (fields, refusedField) => {
  const response = await notes.post('', { contact_id, ...fields })
  expect(response.statusCode).toBe(422)
  expect(response.json().fields[refusedField]).toMatch(/\w/)
})

test('two edits of the same version of a note are a conflict, and a note cannot be moved to another contact', async () => {
  const { id } = await notes.add({ contact_id, content: 'Oak' })
  expect(await notes.edit(id, { content: 'Ash', version: 1 })).toMatchObject({ content: 'Ash', contact_id, version: 2 })
  const response = await notes.patch(id, { content: 'Elm', version: 1 })
  expect(response.json()).toMatchObject({ code: 'conflict', conflict: { fields: [{ field: 'content', yours: 'Elm', theirs: 'Ash' }] } })
  expect((await notes.patch(id, { contact_id })).statusCode).toBe(422)
})

test('a deleted note is restored by undo and from the trash', async () => {
  const { id } = await notes.add({ contact_id, content: 'Oak' })
  const deletion = await notes.remove(id)
  expect(await readLabel(ada, deletion)).toBe('Deleted 1 note')
  expect((await readNotes()).count).toBe(0)
  await undo(ada, deletion)
  expect((await readNotes()).count).toBe(1)
  await notes.remove(id)
  expect((await ada.send({ url: '/api/trash' })).json().rows).toMatchObject([{ id, title: 'Oak' }])
  await ada.send({ method: 'POST', url: `/api/trash/${id}/restore` })
  expect((await readNotes()).rows).toMatchObject([{ id, content: 'Oak' }])
})

test('notes are deleted with their contact, and restored with it by undo and from the trash', async () => {
  for (const content of ['First', 'Second']) await notes.add({ contact_id, content })
  const before = await readOwnedRows(app, ada.id)
  const deletion = await contacts.remove(contact_id)
  expect(await readLabel(ada, deletion)).toBe('Deleted 1 contact')
  expect((await readOwnedRows(app, ada.id))['notes']).toEqual([])
  expect((await ada.send({ url: '/api/trash' })).json().rows).toMatchObject([{ id: contact_id, title: 'Ann Lee' }])
  await undo(ada, deletion)
  expect(await readOwnedRows(app, ada.id)).toEqual(before)
  await contacts.remove(contact_id)
  await ada.send({ method: 'POST', url: `/api/trash/${contact_id}/restore` })
  expect((await readOwnedRows(app, ada.id))['notes']).toEqual(before['notes'])
})

test('the list of contacts shows the newest note in one line, or the description if there is no note', async () => {
  const readNotesColumn = async () => (await contacts.list()).rows[0]?.['notes']
  expect(await readNotesColumn()).toBe('One line')
  await notes.add({ contact_id, content: 'First' })
  const { id } = await notes.add({ contact_id, content: `Newest\r\n\twith lines ${'x'.repeat(300)}` })
  expect(await readNotesColumn()).toMatch(/^Newest {3}with lines x{180}$/) // at most 200 characters, with spaces for line breaks and tabs
  expect((await contacts.list({ search: 'ann' })).rows[0]?.['notes']).toBe(await readNotesColumn())
  await notes.remove(id)
  expect(await readNotesColumn()).toBe('First')
})
