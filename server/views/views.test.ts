import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { maxViews } from '#contract/views.ts'
import { sql } from '#server/platform/database/database.ts'
import { callerFor } from '#server/platform/database/transaction.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { readLabel, recordsOf, undo } from '#server/testing/records.ts'

let app: TestApp
let ada: Person
let views: ReturnType<typeof recordsOf>
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  views = recordsOf(ada, '/api/views')
})

/** Returns a text for each view: its list, its name, and its `address`, which is the query string of the list's URL. */
const readViews = async () =>
  (await views.list()).rows.map(({ list, name, address }) => `${String(list)} ${String(name)}: ${String(address)}`)
/** Adds views of deals, with the names "View 1", "View 2" and so on. */
const addViews = (count: number) =>
  app.database.transaction(callerFor(ada.id), 'Saved views', () =>
    sql(`insert into views (user_id, list, name, address) select $1, 'deals', 'View ' || n, '' from generate_series(1, $2::int) n`, [
      ada.id,
      count,
    ]),
  )

test('the views of all lists are listed together, sorted by name', async () => {
  await views.add({ list: 'deals', name: 'zum Ende', address: 'sort=value' })
  await views.add({ list: 'contacts', name: ' Ämter ', address: '' })
  await views.add({ list: 'tasks', name: 'berg', address: 'search=a' })
  expect(await readViews()).toEqual(['contacts Ämter: ', 'tasks berg: search=a', 'deals zum Ende: sort=value'])
})

test('saving a view with the name of an existing view of the list replaces the query of the existing view; undo restores the old query', async () => {
  const first = await views.add({ list: 'deals', name: 'Mine', address: 'sort=value' })
  await views.add({ list: 'tasks', name: 'Mine', address: 'sort=title' })
  const replacement = await views.post('', { list: 'deals', name: 'Mine', address: 'sort=title' })
  expect(replacement.json()).toMatchObject({ id: first.id, version: 2 })
  expect(await readLabel(ada, replacement)).toBe('Saved view')
  expect((await readViews()).toSorted()).toEqual(['deals Mine: sort=title', 'tasks Mine: sort=title'])
  await undo(ada, replacement)
  expect((await readViews()).toSorted()).toEqual(['deals Mine: sort=value', 'tasks Mine: sort=title'])
})

test('a view can be renamed or get another query, and the undo of the renaming keeps the later query', async () => {
  const { id } = await views.add({ list: 'deals', name: 'Mine', address: 'sort=value' })
  const renaming = await views.patch(id, { name: ' Ours ' })
  expect(renaming.json()).toMatchObject({ id, name: 'Ours', address: 'sort=value', version: 2 })
  expect(await readLabel(ada, renaming)).toBe('Updated view')
  expect((await views.patch(id, { address: 'sort=title' })).json()).toMatchObject({ name: 'Ours', address: 'sort=title' })
  await undo(ada, renaming)
  expect(await readViews()).toEqual(['deals Mine: sort=title'])
})

test('the name of another view of the same list is refused with a message; the name of a view of another list is accepted', async () => {
  const { id } = await views.add({ list: 'deals', name: 'Mine', address: '' })
  await views.add({ list: 'deals', name: 'Ours', address: '' })
  await views.add({ list: 'tasks', name: 'Theirs', address: '' })
  const response = await views.patch(id, { name: 'Ours' })
  expect([response.statusCode, response.json().fields.name]).toEqual([422, 'Another view has this name. Choose a different one.'])
  expect((await views.patch(id, { name: 'Theirs' })).statusCode).toBe(200)
  expect((await views.patch(id, { name: ' ' })).json().fields.name).toBe('Enter a name')
  const grace = await signInAs(app, 'grace')
  expect((await grace.send({ method: 'PATCH', url: `/api/views/${id}`, payload: { name: 'Hers' } })).statusCode).toBe(404)
})

test.each([
  [{ list: 'notes' }, 'list'],
  [{ name: ' ' }, 'name'],
  [{ name: 'x'.repeat(101) }, 'name'],
  [{ name: '\n\t' }, 'name'],
  [{ address: 'x'.repeat(16_001) }, 'address'],
])('%j is refused with a message for %s', async (fields, refusedField) => {
  const response = await views.post('', { list: 'deals', name: 'Mine', address: '', ...fields })
  expect(response.statusCode).toBe(422)
  expect(response.json().fields[refusedField]).toMatch(/\w/)
})

test('a query string of 16,000 characters is stored, and a longer one is refused with a message', async () => {
  const address = 'x'.repeat(16_000)
  expect(await views.add({ list: 'deals', name: 'Mine', address })).toMatchObject({ address })
  const response = await views.post('', { list: 'deals', name: 'Mine', address: `${address}x` })
  expect(response.json().fields.address).toBe('This view is too long to be saved. Take some filters off.')
})

test('an owner can save at most two hundred views; existing views can then still be replaced', async () => {
  await addViews(maxViews)
  const response = await views.post('', { list: 'deals', name: 'One more', address: '' })
  expect([response.statusCode, response.json().code, response.headers['foyer-change']]).toEqual([413, 'too_many', undefined])
  expect(response.json().detail).toMatch(/200 views/)
  expect((await views.post('', { list: 'deals', name: 'View 7', address: 'sort=value' })).statusCode).toBe(201)
  expect(await readViews()).toHaveLength(maxViews)
})

test('the limit of two hundred also holds for simultaneous requests', async () => {
  await addViews(maxViews - 1)
  const codes = await Promise.all(
    Array.from(
      { length: 8 },
      async (_, number) => (await views.post('', { list: 'tasks', name: `Mine ${number}`, address: '' })).statusCode,
    ),
  )
  expect(codes.toSorted((a, b) => a - b)).toEqual([201, ...Array.from({ length: 7 }, () => 413)])
  expect(await readViews()).toHaveLength(maxViews)
})

test('a deleted view is restored, unless another view has its name', async () => {
  const { id } = await views.add({ list: 'deals', name: 'Mine', address: 'sort=value' })
  const firstDeletion = await views.remove(id)
  expect(await readViews()).toEqual([])
  await undo(ada, firstDeletion)
  expect(await readViews()).toEqual(['deals Mine: sort=value'])
  const secondDeletion = await views.remove(id)
  await views.add({ list: 'deals', name: 'Mine', address: '' })
  const response = await ada.send({ method: 'POST', url: `/api/changes/${String(secondDeletion.headers['foyer-change'])}/undo` })
  expect(response.json()).toMatchObject({ code: 'undo_blocked' })
  expect(await readViews()).toEqual(['deals Mine: '])
})

test('views that an undo restored beyond the limit are listed', async () => {
  const { id } = await views.add({ list: 'tasks', name: 'Restored', address: '' })
  const deletion = await views.remove(id)
  await addViews(maxViews)
  await undo(ada, deletion)
  expect(await readViews()).toHaveLength(maxViews + 1)
  expect(await readViews()).toContain('tasks Restored: ')
  expect((await views.post('', { list: 'deals', name: 'One more', address: '' })).statusCode).toBe(413)
})
