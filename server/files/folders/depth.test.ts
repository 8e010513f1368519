// At most 100 folders are inside each other, also after a move, a restore or an undo. Trees that were deeper before this limit
// existed stay usable.
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

/** Returns the id of the folder at a level of a chain; the top is level 1. */
const at = (ids: string[], level: number): string => ids[level - 1] ?? ''
const move = (id: string, parent: string | null) => folders.patch(id, { parent_folder_id: parent })
const restore = (id: string) => ada.send({ method: 'POST', url: `/api/trash/${id}/restore` })
const requestUndo = (response: { headers: Record<string, unknown> }) =>
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

test('a folder below 100 others is refused when it is added, created by a path or moved, and one below 99 others is not', async () => {
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

test('an undo and a restore that would exceed the limit are refused with a message that says which move is needed, and the restore succeeds after it', async () => {
  const ids = await addChain(100, 'Level')
  const [outer, inner] = await addChain(2, 'Pair')
  const deleted = await folders.remove(inner ?? '')
  await move(outer ?? '', at(ids, 99))
  expect(await restore(inner ?? '')).toMatchObject(tooDeepForUndo)
  expect(await requestUndo(deleted)).toMatchObject(tooDeepForUndo)
  const back = await move(outer ?? '', null)
  expect((await restore(inner ?? '')).statusCode).toBe(200)
  expect(await requestUndo(back)).toMatchObject(tooDeepForUndo)
})

/** Adds 150 folders inside each other without the checks of triggers, as a restore of a backup does, and returns their ids from the top. */
async function addDeepTree(): Promise<string[]> {
  const ids = Array.from({ length: 150 }, () => newId())
  const client = await app.tableOwner.connect()
  try {
    await client.query('begin')
    await client.query('alter table folders disable trigger user')
    await client.query(
      `insert into folders (user_id, id, name, parent_folder_id, created_at)
       select $1, id, 'Level ' || number, lag(id) over (order by number), '2025-01-01' from unnest($2::uuid[]) with ordinality i (id, number)`,
      [ada.id, ids],
    )
    await client.query('alter table folders enable trigger user')
    await client.query('commit')
  } finally {
    client.release()
  }
  return ids
}

const readDepth = async (id: string) => (await ada.send({ url: `/api/folders/${id}/path` })).json().rows?.length

test('folders of a tree that is older and deeper than the limit can be renamed, moved, deleted and restored, but get no new folders', async () => {
  const ids = await addDeepTree()
  const bottom = at(ids, 150)
  const refused = await folders.post('', { name: 'New', parent_folder_id: at(ids, 120) })
  expect([refused.statusCode, refused.json().fields]).toEqual([422, tooDeep])
  expect((await folders.patch(at(ids, 120), { name: 'Renamed' })).statusCode).toBe(200)
  for (const level of [1, 60, 120]) {
    const deleted = await folders.remove(at(ids, level))
    expect(await readDepth(bottom)).toBeUndefined()
    await undo(ada, deleted)
    await folders.remove(at(ids, level))
    expect((await restore(at(ids, level))).statusCode).toBe(200)
    expect(await readDepth(bottom)).toBe(150)
  }
  const moved = await move(at(ids, 120), null)
  expect(await readDepth(bottom)).toBe(31)
  const undone = await undo(ada, moved)
  expect(await readDepth(bottom)).toBe(150)
  await undo(ada, undone)
  expect(await readDepth(bottom)).toBe(31)
})

test('folders deeper than the limit can be moved to a higher place and not to a deeper one, also after a restore of a backup', async () => {
  const ids = await addDeepTree()
  // as after a restore of a backup: the migrations have a later time than all rows
  await app.tableOwner.query(`update app.migrations set at = now() + interval '1 hour'`)
  const chain = await addChain(80, 'Chain')
  const [other] = await addChain(1, 'Other')
  const before = await readOwnedRows(app, ada.id)
  for (const [id, parent] of [
    [at(ids, 1), other],
    [at(ids, 60), at(chain, 80)],
    [at(chain, 1), at(ids, 30)],
  ] as const)
    expect((await move(id, parent ?? '')).json().fields).toEqual(tooDeep)
  const refused = await folders.post('', { name: 'New', parent_folder_id: at(ids, 100) })
  expect([refused.statusCode, refused.json().fields]).toEqual([422, tooDeep])
  expect(await readOwnedRows(app, ada.id)).toEqual(before)
  expect((await move(at(ids, 120), at(ids, 110))).statusCode).toBe(200)
  expect(await readDepth(at(ids, 150))).toBe(141)
  expect((await move(at(ids, 130), at(ids, 118))).statusCode).toBe(200) // from level 121 to level 119
  const deeper = await move(at(ids, 130), at(ids, 129)) // back to level 121
  expect([deeper.statusCode, deeper.json().fields]).toEqual([422, tooDeep])
})

test('an undo that would restore a part of an old deep tree at a deeper level than before is refused', async () => {
  const ids = await addDeepTree()
  const [wrapper] = await addChain(1, 'Wrapper')
  const deleted = await folders.remove(at(ids, 40))
  expect((await move(at(ids, 30), wrapper ?? '')).statusCode).toBe(200)
  expect((await move(wrapper ?? '', at(ids, 29))).statusCode).toBe(200)
  expect(await requestUndo(deleted)).toMatchObject(tooDeepForUndo)
  expect((await move(at(ids, 30), at(ids, 29))).statusCode).toBe(200)
  await undo(ada, deleted)
  expect(await readDepth(at(ids, 150))).toBe(150)
})
