// Folders: their names, moves, deletes and restores.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addFile, addFileRows } from '#server/testing/files.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { readLabel, recordsOf, undo } from '#server/testing/records.ts'
import { readOwnedRows } from '#server/testing/rows.ts'

let app: TestApp
let ada: Person
let folders: ReturnType<typeof recordsOf>
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  folders = recordsOf(ada, '/api/folders')
})

const addFolder = async (name: string, parent?: string): Promise<string> =>
  (await folders.add({ name, ...(parent !== undefined && { parent_folder_id: parent }) })).id
/** Returns the names of the first two folders in a folder or in the root folder, and `more` if there are further ones. */
const namesIn = async (parent?: string): Promise<string[]> => {
  const response = await ada.send({ url: `/api/folders?limit=2${parent === undefined ? '' : `&parent_folder_id=${parent}`}` })
  const page: { rows: { name: string }[]; next: string | null } = response.json()
  return [...page.rows.map(({ name }) => name), ...(page.next === null ? [] : ['more'])]
}
const move = (id: string, parent: string | null) => folders.patch(id, { parent_folder_id: parent })

test('the folders in a folder are listed by name, page by page', async () => {
  const offers = await addFolder(' Offers ')
  for (const name of ['Änderungen', 'zoo', 'Contracts']) await addFolder(name, offers)
  expect([await namesIn(), await namesIn(offers)]).toEqual([['Offers'], ['Änderungen', 'Contracts', 'more']])
  const first = (await ada.send({ url: `/api/folders?limit=2&parent_folder_id=${offers}` })).json()
  const second = await ada.send({ url: `/api/folders?limit=2&parent_folder_id=${offers}&after=${first.next}` })
  expect(second.json()).toMatchObject({ rows: [{ name: 'zoo' }], next: null })
  expect((await ada.send({ url: '/api/folders?parent_folder_id=01930000-0000-7000-8000-00000000ffff' })).statusCode).toBe(404)
})

test('the path of a folder begins in the root folder', async () => {
  const offers = await addFolder('Offers')
  const year = await addFolder('2026', offers)
  const month = await addFolder('November', year)
  const rows = (await ada.send({ url: `/api/folders/${month}/path` })).json().rows
  expect(rows).toEqual([
    { id: offers, name: 'Offers' },
    { id: year, name: '2026' },
    { id: month, name: 'November' },
  ])
})

test('a name is unique in its folder, regardless of letter case, for new, renamed and moved folders', async () => {
  const offers = await addFolder('Offers')
  const nested = await addFolder('Offers', offers)
  const other = await addFolder('Other')
  const taken = { code: 'duplicate', fields: { name: 'There is a folder with this name already' } }
  for (const response of [
    await folders.post('', { name: 'OFFERS ' }),
    await folders.patch(other, { name: 'offers' }),
    await move(nested, null),
  ])
    expect([response.statusCode, response.json()]).toEqual([409, expect.objectContaining(taken)])
  expect((await folders.patch(offers, { name: 'OFFERS' })).statusCode).toBe(200)
  expect((await move(nested, other)).statusCode).toBe(200)
  const responses = await Promise.all(Array.from({ length: 5 }, () => folders.post('', { name: 'At once' })))
  expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409, 409])
})

test.each([
  ['re\u0301sume\u0301', 'r\u00E9sum\u00E9'],
  ['exe\u202Egnp\u2066', 'exegnp'],
  [' soft\u00ADhyphen\u200B\uFEFF ', 'softhyphen'],
  ['two\r\nlines', 'two lines'],
  ['a\u0007b', 'a b'],
  ['2024/25', '2024/25'],
  ['\u{1F469}\u200D\u{1F4BB} "quoted" <b>', '\u{1F469}\u200D\u{1F4BB} "quoted" <b>'],
  ['CON', 'CON'],
  ['.git', '.git'],
])('a folder with the name %j is called %j, when it is added and when it is renamed', async (name, stored) => {
  const id = await addFolder(name)
  expect(await namesIn()).toEqual([stored])
  await folders.patch(id, { name: 'Other' })
  expect((await folders.patch(id, { name })).statusCode).toBe(200)
  expect(await namesIn()).toEqual([stored])
  expect((await folders.post('', { name: stored })).statusCode).toBe(409)
})

test.each(['', ' ', '\u200B\u202E', '\n', 'x'.repeat(201), 'half\ud83d', 'a\u0000b'])('a folder cannot be called %j', async (name) => {
  const headers = { 'content-type': 'application/json' }
  const response = await ada.send({ method: 'POST', url: '/api/folders', payload: JSON.stringify({ name }), headers })
  expect([response.statusCode, Object.keys(response.json().fields)]).toEqual([422, ['name']])
})

test('an undo restores a folder although another folder has its name now', async () => {
  const id = await addFolder('Offers')
  const deleted = await folders.remove(id)
  await addFolder('Offers')
  await undo(ada, deleted)
  expect(await namesIn()).toEqual(['Offers', 'Offers'])
})

test('a folder that is restored from the trash gets a free name if another folder has its name now', async () => {
  const id = await addFolder('Offers')
  await folders.remove(id)
  await addFolder('OFFERS')
  const restored = await ada.send({ method: 'POST', url: `/api/trash/${id}/restore` })
  expect([restored.statusCode, await namesIn()]).toEqual([200, ['OFFERS', 'Offers (2)']])
  const undone = await undo(ada, restored)
  expect(await namesIn()).toEqual(['OFFERS'])
  await undo(ada, undone)
  expect(await namesIn()).toEqual(['OFFERS', 'Offers (2)'])
})

const cycle = { parent_folder_id: 'A folder cannot be moved into itself or a folder in it' }

test('a move of a folder into itself or into a folder below it is refused', async () => {
  const top = await addFolder('Top')
  const middle = await addFolder('Middle', top)
  const bottom = await addFolder('Bottom', middle)
  for (const target of [top, middle, bottom]) {
    const response = await move(top, target)
    expect([response.statusCode, response.json().fields]).toEqual([422, cycle])
  }
  expect((await move(bottom, top)).statusCode).toBe(200)
  const response = await move(bottom, '01930000-0000-7000-8000-00000000ffff')
  expect([response.statusCode, response.json().fields]).toEqual([404, { parent_folder_id: 'This folder is no longer here' }])
})

test('simultaneous moves cannot put folders into each other', async () => {
  for (let round = 0; round < 10; round++) {
    const [one, other, third] = [await addFolder(`One ${round}`), await addFolder(`Other ${round}`), await addFolder(`Third ${round}`)]
    const responses = await Promise.all([move(one, other), move(other, third), move(third, one)])
    expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 200, 422])
  }
})

test('an undo that would put a folder into itself is refused', async () => {
  const [one, other] = [await addFolder('One'), await addFolder('Other')]
  await move(one, other)
  const back = await move(one, null)
  await move(other, one)
  const response = await ada.send({ method: 'POST', url: `/api/changes/${String(back.headers['foyer-change'])}/undo` })
  expect([response.statusCode, response.json().code]).toEqual([409, 'undo_blocked'])
})

test('a folder with 500 files and folders in it is deleted and restored as one change', async () => {
  const top = await addFolder('Top')
  const nested = await addFolder('Nested', top)
  for (let count = 0; count < 5; count++) await addFolder(`Folder ${count}`, nested)
  await addFileRows(app, ada.id, 250, `'File ' || number, number, '${top}'::uuid`)
  await addFileRows(app, ada.id, 250, `'File ' || number, number, '${nested}'::uuid`)
  await addFile(ada)
  const before = await readOwnedRows(app, ada.id)
  const deleted = await folders.remove(top)
  expect(await readLabel(ada, deleted)).toBe('Deleted 1 folder')
  const after = await readOwnedRows(app, ada.id)
  // the file in the root folder and the three objects with the bytes of all files stay
  expect([after['folders']?.length, after['files']?.length, after['stored_objects']?.length]).toEqual([0, 1, 3])
  expect((await ada.send({ url: '/api/trash' })).json().rows).toMatchObject([{ id: top, title: 'Top' }])
  const redone = await undo(ada, await undo(ada, deleted))
  expect((await ada.send({ url: '/api/trash' })).json().rows).toMatchObject([{ id: top, title: 'Top' }])
  await undo(ada, redone)
  expect(await readOwnedRows(app, ada.id)).toEqual(before)
  await folders.remove(top)
  await ada.send({ method: 'POST', url: `/api/trash/${top}/restore` })
  expect(await readOwnedRows(app, ada.id)).toEqual(before)
})

test('after the redo of a delete, the trash lists the folder without its contents, and restores it with them', async () => {
  const top = await addFolder('Top')
  const nested = await addFolder('Nested', top)
  const deletedWithFolder = await addFile(ada, { folder_id: nested })
  const deletedBefore = await addFile(ada, { folder_id: nested })
  const files = recordsOf(ada, '/api/files')
  await files.remove(deletedBefore.id)
  const before = await readOwnedRows(app, ada.id)
  await undo(ada, await undo(ada, await folders.remove(top)))
  const trash = (await ada.send({ url: '/api/trash' })).json().rows
  expect(trash.map(({ id }: { id: string }) => id)).toEqual([top, deletedBefore.id])
  await ada.send({ method: 'POST', url: `/api/trash/${top}/restore` })
  expect(await readOwnedRows(app, ada.id)).toEqual(before)
  expect((await files.list()).rows.map(({ id }) => id)).toEqual([deletedWithFolder.id])
})
