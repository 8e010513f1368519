// Files and folders that are selected together are moved and deleted as one change.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addFile, addFileRows, addFolderRows } from '#server/testing/files.ts'
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

const addFolder = async (name: string, parent: string | null = null): Promise<string> =>
  (await folders.add({ name, parent_folder_id: parent })).id
type Selection = { file_ids?: string[]; folder_ids?: string[] }
const sendSelection = (verb: 'move' | 'delete', payload: Record<string, unknown>, person = ada) =>
  person.send({ method: 'POST', url: `/api/files/selection/${verb}`, payload })
/** Moves a selection into a folder; null is the root folder. */
const move = (selection: Selection, folder_id: string | null) => sendSelection('move', { ...selection, folder_id })
const readRows = () => readOwnedRows(app, ada.id, { onlyJournaled: true })

test('files and folders are moved together as one change with one undo, and into the root folder', async () => {
  const [target, inner] = [await addFolder('Target'), await addFolder('Inner')]
  const files = [await addFile(ada), await addFile(ada)]
  const before = await readRows()
  const response = await move({ file_ids: files.map(({ id }) => id), folder_ids: [inner] }, target)
  expect([response.statusCode, await readLabel(ada, response)]).toEqual([204, 'Moved 2 files and 1 folder'])
  expect(await folders.get(inner)).toMatchObject({ parent_folder_id: target })
  expect(await folders.get(target)).toMatchObject({ file_count: 2 })
  await move({ folder_ids: [inner] }, null)
  expect(await folders.get(inner)).toMatchObject({ parent_folder_id: null })
  await move({ folder_ids: [inner] }, target) // back to its place after the first move, so that the undo of that move does not skip it
  await undo(ada, response)
  expect(await folders.get(inner)).toMatchObject({ parent_folder_id: null })
  expect((await readRows())['files']).toMatchObject(before['files']?.map(() => ({ folder_id: null })) ?? [])
})

test('a move may give files equal names, but is refused as a whole if folders would get equal names', async () => {
  const [target, other] = [await addFolder('Target'), await addFolder('Other')]
  await addFolder('Offers', target)
  const [offers, sameName] = [await addFolder('OFFERS'), await addFolder('offers', other)]
  const inTarget = await addFile(ada, { folder_id: target })
  const file = await addFile(ada, { file_name: inTarget.file_name })
  const before = await readRows()
  const fields = { folder_ids: 'There is a folder with this name already' }
  for (const [folder_ids, to] of [
    [[other, offers], target], // the target has a folder with this name
    [[offers, sameName], await addFolder('Empty')], // two selected folders have the same name
  ] as const) {
    const response = await move({ file_ids: [file.id], folder_ids: [...folder_ids] }, to)
    expect([response.statusCode, response.json()]).toEqual([409, expect.objectContaining({ code: 'duplicate', fields })])
  }
  expect((await readRows())['files']).toEqual(before['files'])
  expect((await move({ file_ids: [file.id] }, target)).statusCode).toBe(204)
})

test('a move of a folder into itself or into a folder below it is refused with a message for folder_id', async () => {
  const top = await addFolder('Top')
  const bottom = await addFolder('Bottom', top)
  const file = await addFile(ada)
  for (const target of [top, bottom]) {
    const response = await move({ file_ids: [file.id], folder_ids: [top, await addFolder(`Beside ${target}`)] }, target)
    const fields = { folder_id: 'A folder cannot be moved into itself or a folder in it' }
    expect([response.statusCode, response.json().fields]).toEqual([422, fields])
  }
  expect(await recordsOf(ada, '/api/files').get(file.id)).toMatchObject({ folder_id: null })
})

const addContact = async (first_name: string): Promise<string> =>
  (await recordsOf(ada, '/api/contacts').add({ first_name, last_name: 'Menabrea' })).id
const placeOf = async (id: string): Promise<unknown[]> => {
  const { folder_id, contact_id } = await recordsOf(ada, '/api/files').get(id)
  return [folder_id, contact_id]
}

test('an attachment is moved into a folder, and files of folders are attached to a contact; each is one change with undo', async () => {
  const [contact, folder] = [await addContact('Luigi'), await addFolder('Offers')]
  const [attachment, file] = [await addFile(ada, { contact_id: contact }), await addFile(ada, { folder_id: folder })]
  const moved = await move({ file_ids: [attachment.id] }, folder)
  expect([moved.statusCode, await readLabel(ada, moved)]).toEqual([204, 'Moved 1 file'])
  expect(await placeOf(attachment.id)).toEqual([folder, null])
  await undo(ada, moved)
  expect(await placeOf(attachment.id)).toEqual([null, contact])
  const attached = await sendSelection('move', { file_ids: [file.id], folder_id: null, contact_id: contact })
  expect(await placeOf(file.id)).toEqual([null, contact])
  await undo(ada, attached)
  expect(await placeOf(file.id)).toEqual([folder, null])
})

test('the undo of a move leaves out a file that was moved again later', async () => {
  const [contact, folder] = [await addContact('Luigi'), await addFolder('Offers')]
  const { id } = await addFile(ada, { contact_id: contact })
  const first = await move({ file_ids: [id] }, folder)
  const other = await addFolder('Signed')
  await move({ file_ids: [id] }, other)
  await ada.send({ method: 'POST', url: `/api/changes/${String(first.headers['foyer-change'])}/undo` })
  expect(await placeOf(id)).toEqual([other, null])
})

// A file is in a folder or on a contact, never both. So an undo must not set one of the columns if the other one was set later.
test.each(['folder_id', 'contact_id'])(
  'an undo and a redo that would set only %s skip a file that now has the other kind of place, and revert the other files',
  async (column) => {
    const inFolder = { folder_id: await addFolder('Offers'), contact_id: null }
    const onContact = { folder_id: null, contact_id: await addContact('Luigi') }
    const [firstPlace, otherPlace] = column === 'folder_id' ? [inFolder, onContact] : [onContact, inFolder]
    const [movedLater, notMovedLater] = [(await addFile(ada, firstPlace)).id, (await addFile(ada, firstPlace)).id]
    const bothFiles = [movedLater, notMovedLater]
    const moveTo = (file_ids: string[], place: object) => sendSelection('move', { file_ids, ...place })
    const expectPartialUndo = async (change: { headers: Record<string, unknown> }): Promise<void> => {
      const { headers } = await undo(ada, change)
      const { skipped } = (await ada.send({ url: `/api/changes/${String(headers['foyer-change'])}` })).json()
      expect(skipped).toEqual([{ table: 'files', id: movedLater, why: 'edited', columns: [column] }])
      expect([await placeOf(movedLater), await placeOf(notMovedLater)]).toEqual([Object.values(otherPlace), Object.values(firstPlace)])
    }
    const moved = await move({ file_ids: bothFiles }, null)
    await moveTo([movedLater], otherPlace)
    await expectPartialUndo(moved)

    await move({ file_ids: bothFiles }, null)
    const undone = await undo(ada, await moveTo(bothFiles, firstPlace))
    await moveTo([movedLater], otherPlace)
    await expectPartialUndo(undone)
  },
)

test('a folder cannot be attached to a contact, and a missing target is refused with a message for its field', async () => {
  const [contact, folder] = [await addContact('Luigi'), await addFolder('Offers')]
  const { id } = await addFile(ada)
  const missing = '01930000-0000-7000-8000-00000000ffff'
  const foreign = (await recordsOf(await signInAs(app, 'grace'), '/api/contacts').add({ first_name: 'Ann', last_name: 'Lee' })).id
  const selections = [
    [{ folder_ids: [folder], folder_id: null, contact_id: contact }, 422, { folder_ids: 'A folder cannot be attached to a contact' }],
    [{ file_ids: [id], contact_id: contact, folder_id: folder }, 422, { contact_id: 'Name a folder or a contact, not both' }],
    [{ file_ids: [id], folder_id: null, contact_id: missing }, 404, { contact_id: 'This contact is no longer here' }],
    [{ file_ids: [id], folder_id: null, contact_id: foreign }, 404, { contact_id: 'This contact is no longer here' }],
    [{ file_ids: [id], folder_id: missing }, 404, { folder_id: 'This folder is no longer here' }],
  ] as const
  for (const [selection, status, fields] of selections) {
    const response = await sendSelection('move', selection)
    expect([response.statusCode, response.json().fields]).toEqual([status, fields])
  }
  expect(await placeOf(id)).toEqual([null, null])
})

test('a thousand files and folders are deleted as one change with one undo, also files in a selected folder', async () => {
  const outer = await addFolder('Outer')
  const inner = await addFolder('Inner', outer)
  await addFolderRows(app, ada.id, 98) // 100 folders, including Outer and Inner
  await addFileRows(app, ada.id, 700, `'File ' || number, 1, '${inner}'::uuid`)
  await addFileRows(app, ada.id, 200, `'File ' || number, 1, null::uuid`)
  const before = await readRows()
  const readIds = async (table: 'files' | 'folders'): Promise<string[]> =>
    (await app.tableOwner.query<{ id: string }>(`select id from ${table} where user_id = $1`, [ada.id])).rows.map(({ id }) => id)
  const selection = { file_ids: await readIds('files'), folder_ids: await readIds('folders') }
  const deleted = await sendSelection('delete', selection)
  expect([deleted.statusCode, await readLabel(ada, deleted)]).toEqual([204, 'Deleted 900 files and 100 folders'])
  expect(await readRows()).toMatchObject({ files: [], folders: [] })
  await undo(ada, deleted)
  expect(await readRows()).toEqual(before)
  const tooMany = await sendSelection('delete', { file_ids: Array.from({ length: 10_001 }, () => outer) })
  expect([tooMany.statusCode, tooMany.json().fields]).toEqual([422, { file_ids: 'Select at most 10,000 files and folders' }])
})

/** Returns the selection of everything directly in a folder. */
const everythingIn = (id: string) => ({
  files: { filter: [{ field: 'folder_id', is: [id] }] },
  folders: { filter: [{ field: 'parent_folder_id', is: [id] }] },
})

/** More files than a list of ids may have; fewer without FOYER_FULL=1. */
const largeCount = process.env['FOYER_FULL'] === '1' ? 10_500 : 1500

test(
  'everything in a folder of very many files is counted, moved and deleted, each as one change with one undo',
  { timeout: 300_000 },
  async () => {
    const [outer, target] = [await addFolder('Outer'), await addFolder('Target')]
    const inner = await addFolder('Inner', outer)
    await addFileRows(app, ada.id, largeCount, `'File ' || number, 1, '${outer}'::uuid`)
    await addFileRows(app, ada.id, 3, `'File ' || number, 1, '${inner}'::uuid`)
    const matching = everythingIn(outer)
    const count = await ada.send({ method: 'POST', url: '/api/files/selection/count', payload: { matching } })
    expect(count.json()).toEqual({ file_count: largeCount, folder_count: 1 })
    const before = await readRows()
    const moved = await sendSelection('move', { matching, folder_id: target })
    expect([moved.statusCode, await readLabel(ada, moved)]).toEqual([204, `Moved ${largeCount} files and 1 folder`])
    expect(await folders.get(inner)).toMatchObject({ parent_folder_id: target, file_count: 3 })
    expect((await sendSelection('delete', { matching })).statusCode).toBe(404) // nothing is left there
    const deleted = await sendSelection('delete', { matching: everythingIn(target) })
    expect(await readLabel(ada, deleted)).toBe(`Deleted ${largeCount} files and 1 folder`)
    expect(await readRows()).toMatchObject({ files: [] })
    await undo(ada, deleted)
    await undo(ada, moved)
    const after = await readRows()
    expect(after['files']?.length).toBe(before['files']?.length)
    expect(await folders.get(inner)).toMatchObject({ parent_folder_id: outer, file_count: 3 })
  },
)

test('everything that a search finds below a folder is deleted, and nothing else; ids together with a search are refused', async () => {
  const outer = await addFolder('Outer')
  const inner = await addFolder('Offers', outer)
  const [match, elsewhere, other] = [
    await addFile(ada, { file_name: 'Offer.txt', folder_id: inner }),
    await addFile(ada, { file_name: 'Offer.txt' }),
    await addFile(ada, { file_name: 'Letter.txt', folder_id: outer }),
  ]
  const filter = [{ field: 'below_folder_id', is: [outer] }]
  const files = { search: 'offer', filter }
  expect((await sendSelection('delete', { matching: { files } })).statusCode).toBe(204)
  const remainingIds = (await recordsOf(ada, '/api/files').list()).rows.map(({ id }) => id)
  expect([match, elsewhere, other].map(({ id }) => remainingIds.includes(id))).toEqual([false, true, true])
  expect((await sendSelection('delete', { matching: { folders: { search: 'offer', filter } } })).statusCode).toBe(204)
  expect(await recordsOf(ada, '/api/folders').get(outer)).toMatchObject({ is_empty: false })
  const both = await sendSelection('delete', { matching: { files }, file_ids: [other.id] })
  expect([both.statusCode, both.json().fields]).toEqual([422, { file_ids: 'Select a file or a folder' }])
})

test('an empty selection is refused; a selection with a file of another owner is refused too, and nothing of it is deleted', async () => {
  const grace = await signInAs(app, 'grace')
  const foreign = await addFile(grace)
  const own = await addFolder('Own')
  expect((await sendSelection('delete', {})).json().fields).toEqual({ file_ids: 'Select a file or a folder' })
  expect((await sendSelection('delete', { file_ids: [foreign.id] })).statusCode).toBe(404)
  expect((await sendSelection('delete', { file_ids: [foreign.id], folder_ids: [own] })).statusCode).toBe(404)
  expect((await folders.get(own)).id).toBe(own)
  expect((await recordsOf(grace, '/api/files').get(foreign.id)).id).toBe(foreign.id)
})
