// When a user drops a folder onto the page, one request creates the folders of all its paths, such as "Offers/2026". Folders in lists have
// the number of their files.
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

const requestPaths = (paths: readonly string[], parent: string | null = null, headers = {}) =>
  ada.send({ method: 'POST', url: '/api/folders/paths', payload: { parent_folder_id: parent, paths }, headers })
type PathRow = { path: string; id: string }
const createPaths = async (paths: readonly string[], parent: string | null = null): Promise<PathRow[]> => {
  const response = await requestPaths(paths, parent)
  expect(response.statusCode, response.body).toBe(200)
  return response.json().rows
}
const readPath = async (id: string): Promise<string> => {
  const { rows }: { rows: { name: string }[] } = (await ada.send({ url: `/api/folders/${id}/path` })).json()
  return rows.map(({ name }) => name).join('/')
}
const readFolderRows = async () => (await readOwnedRows(app, ada.id))['folders'] ?? []

test('a request finds existing folders without regard to case and creates the others, as one change that an undo reverts', async () => {
  const top = (await folders.add({ name: 'Top' })).id
  const offers = (await folders.add({ name: 'Offers', parent_folder_id: top })).id
  const before = await readFolderRows()
  const paths = ['OFFERS/2026/Müller & Söhne', 'offers', ' Offers / 2026 /', 'Contracts/2026', 'contracts']
  const response = await requestPaths(paths, top)
  const { rows }: { rows: PathRow[] } = response.json()
  expect(rows.map(({ path }) => path)).toEqual(paths)
  expect(await Promise.all(rows.map(({ id }) => readPath(id)))).toEqual([
    'Top/Offers/2026/Müller & Söhne',
    'Top/Offers',
    'Top/Offers/2026',
    'Top/Contracts/2026',
    'Top/Contracts',
  ])
  expect(rows[1]?.id).toBe(offers)
  expect(await readLabel(ada, response)).toBe('Added 4 folders')
  await undo(ada, response)
  expect(await readFolderRows()).toEqual(before)
})

test('a request for paths that all exist writes nothing', async () => {
  const first = await createPaths(['a/b/c', 'a/d'])
  const again = await requestPaths(['a/b/c', 'a/d'])
  expect([again.json().rows, again.headers['foyer-change']]).toEqual([first, undefined])
})

test('a repeated request returns the same folders, and after an undo it returns 404 and creates nothing', async () => {
  const key = { 'idempotency-key': 'drop' }
  const first = await requestPaths(['a/b'], null, key)
  expect((await requestPaths(['a/b'], null, key)).json()).toEqual(first.json())
  await undo(ada, first)
  expect((await requestPaths(['a/b'], null, key)).statusCode).toBe(404)
  expect(await readFolderRows()).toEqual([])
})

test('simultaneous requests create each folder once', async () => {
  const paths = ['a/b/c', 'A/b/d', 'a/B/c/e']
  const responses = await Promise.all(Array.from({ length: 8 }, () => createPaths(paths)))
  expect(new Set(responses.map((rows) => JSON.stringify(rows))).size).toBe(1)
  expect(await readFolderRows()).toHaveLength(5) // a, a/b, a/b/c, a/b/c/e and a/b/d
})

test('one request creates the folders of 1,000 paths, of which 200 exist; a request with 1,001 paths is refused', async () => {
  const paths = Array.from({ length: 1000 }, (_, index) => `Archive/${index % 50}/${index}`)
  await createPaths(paths.slice(0, 200))
  const rows = await createPaths(paths)
  // the last folder of each of the 1,000 paths, the 50 folders above them, and Archive
  expect([new Set(rows.map(({ id }) => id)).size, (await readFolderRows()).length]).toEqual([1000, 1051])
  expect(await readPath(rows[999]?.id ?? '')).toBe('Archive/49/999')
  expect((await requestPaths([...paths, 'one more'])).statusCode).toBe(422)
})

test.each([
  ['', 'Enter a name'],
  [' / ', 'Enter a name'],
  ['a/../b', 'A folder cannot have this name'],
  ['./b', 'A folder cannot have this name'],
  [`a/${'x'.repeat(201)}`, 'At most 200 characters'],
  [Array.from({ length: 101 }, () => 'x').join('/'), 'At most 100 folders inside each other'],
  [`${'/'.repeat(200)}a`, 'At most 100 folders inside each other'],
])('the path "%.20s" is refused with "%s", and nothing is created', async (path, message) => {
  const response = await requestPaths(['fine', path])
  expect([response.statusCode, response.json().fields]).toEqual([422, { 'paths.1': message }])
  expect(await readFolderRows()).toEqual([])
})

test('paths in a deleted folder or in a folder of another owner are refused with a message for parent_folder_id', async () => {
  const { id } = await recordsOf(await signInAs(app, 'grace'), '/api/folders').add({ name: 'Foreign' })
  const gone = (await folders.add({ name: 'Gone' })).id
  await folders.remove(gone)
  for (const parent of [id, gone]) {
    const response = await requestPaths(['a'], parent)
    expect([response.statusCode, response.json().fields]).toEqual([404, { parent_folder_id: 'This folder is no longer here' }])
  }
})

test('a folder says how many files are directly in it, up to 10,000, and whether it is empty', async () => {
  const [, inner] = await createPaths(['Outer', 'Outer/Inner', 'Empty', 'Large'])
  const list = async () => (await ada.send({ url: '/api/folders' })).json().rows
  await addFile(ada, { folder_id: inner?.id })
  const large = (await list()).find(({ name }: { name: string }) => name === 'Large')
  await addFileRows(app, ada.id, 10_001, `number::text, 1, '${large.id}'::uuid`)
  expect(await list()).toMatchObject([
    { name: 'Empty', file_count: 0, is_empty: true },
    { name: 'Large', file_count: 10_000, is_empty: false },
    { name: 'Outer', file_count: 0, is_empty: false },
  ])
  expect(await folders.get(inner?.id ?? '')).toMatchObject({ file_count: 1, is_empty: false })
})
