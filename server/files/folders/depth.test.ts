// At most 100 folders are inside each other, however they come there, and deeper ones from the time before this limit stay usable.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { maxFolderDepth } from '#contract/folders.ts'
import { newId } from '#server/platform/database/uuid.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf, undo } from '#server/testing/records.ts'
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

const createPaths = (paths: string[], parent: string | null = null) =>
  ada.send({ method: 'POST', url: '/api/folders/paths', payload: { parent_folder_id: parent, paths } })

/** Adds folders inside each other, and returns their ids from the top. */
async function addChain(levels: number, name: string): Promise<string[]> {
  const names = Array.from({ length: levels }, (_, level) => `${name} ${level + 1}`)
  const response = await createPaths(names.map((_, index) => names.slice(0, index + 1).join('/')))
  return response.json().rows.map(({ id }: { id: string }) => id)
}

const at = (ids: string[], level: number): string => ids[level - 1] ?? ''
const move = (id: string, parent: string | null) => folders.patch(id, { parent_folder_id: parent })
const restore = (id: string) => ada.send({ method: 'POST', url: `/api/trash/${id}/restore` })
const undoLast = (response: { headers: Record<string, unknown> }) =>
  ada.send({ method: 'POST', url: `/api/changes/${String(response.headers['foyer-change'])}/undo` })
const tooDeep = { parent_folder_id: 'At most 100 folders inside each other' }
const tooDeepForUndo = {
  statusCode: 409,
  body: expect.stringContaining(
    'There would be more than 100 folders inside each other. Move the folder around them to a higher place first.',
  ),
}

test('the database has the limit of the contract', async () => {
  const { rows } = await app.tableOwner.query('select app.max_folder_depth() as depth')
  expect(rows).toEqual([{ depth: maxFolderDepth }])
})

test('a folder below 100 others is refused when it is added, moved or dropped, and one at the limit is not', async () => {
  const ids = await addChain(100, 'Level')
  const [top, middle] = await addChain(2, 'Pair')
  const before = await readOwnedRows(app, ada.id)
  for (const response of [
    await folders.post('', { name: 'Too deep', parent_folder_id: at(ids, 100) }),
    await createPaths(['a', 'b/c'], at(ids, 99)),
    await move(top ?? '', at(ids, 99)),
  ])
    expect([response.statusCode, response.json().fields]).toEqual([422, tooDeep])
  const selection = { file_ids: [], folder_ids: [top], folder_id: at(ids, 99) }
  const response = await ada.send({ method: 'POST', url: '/api/files/selection/move', payload: selection })
  expect([response.statusCode, response.json().fields]).toEqual([422, { folder_id: tooDeep.parent_folder_id }])
  expect(await readOwnedRows(app, ada.id)).toEqual(before)
  expect((await move(middle ?? '', at(ids, 99))).statusCode).toBe(200)
  expect((await move(top ?? '', at(ids, 98))).statusCode).toBe(200)
})

test('an undo and a restore that would exceed the limit are refused with what to do, and succeed after that', async () => {
  const ids = await addChain(100, 'Level')
  const [outer, inner] = await addChain(2, 'Pair')
  const deleted = await folders.remove(inner ?? '')
  await move(outer ?? '', at(ids, 99))
  expect(await restore(inner ?? '')).toMatchObject(tooDeepForUndo)
  expect(await undoLast(deleted)).toMatchObject(tooDeepForUndo)
  const back = await move(outer ?? '', null)
  expect((await restore(inner ?? '')).statusCode).toBe(200)
  expect(await undoLast(back)).toMatchObject(tooDeepForUndo)
})

test('a tree that is older than the limit and deeper is renamed, moved, deleted, restored and undone; nothing new is added to it', async () => {
  const ids = Array.from({ length: 150 }, () => newId())
  await app.tableOwner.query(
    `insert into folders (user_id, id, name, parent_folder_id, created_at)
     select $1, id, 'Level ' || number, lag(id) over (order by number), '2025-01-01' from unnest($2::uuid[]) with ordinality i (id, number)`,
    [ada.id, ids],
  )
  const readDepth = async () => (await ada.send({ url: `/api/folders/${at(ids, 150)}/path` })).json().rows?.length
  const refused = await folders.post('', { name: 'New', parent_folder_id: at(ids, 120) })
  expect([refused.statusCode, refused.json().fields]).toEqual([422, tooDeep])
  expect((await folders.patch(at(ids, 120), { name: 'Renamed' })).statusCode).toBe(200)
  for (const level of [1, 60, 120]) {
    const deleted = await folders.remove(at(ids, level))
    expect(await readDepth()).toBeUndefined()
    await undo(ada, deleted)
    await folders.remove(at(ids, level))
    expect((await restore(at(ids, level))).statusCode).toBe(200)
    expect(await readDepth()).toBe(150)
  }
  const moved = await move(at(ids, 120), null)
  expect(await readDepth()).toBe(31)
  await undo(ada, moved)
  expect(await readDepth()).toBe(150)
})
