// Searches find files and folders in the whole drive, or in a folder and all folders below it, and say where they are.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { FileRow } from '#contract/files.ts'
import type { FolderPath, FolderRow } from '#contract/folders.ts'
import { openTestApp, type TestApp } from '#server/testing/app.ts'
import { addFile, addFileRows } from '#server/testing/files.ts'
import { signInAs, type Person } from '#server/testing/people.ts'
import { recordsOf } from '#server/testing/records.ts'

let app: TestApp
let ada: Person
let ids: Record<string, string>
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.stop())
beforeEach(async () => {
  ada = await signInAs(app, 'ada')
  const paths = ['Offers', 'Offers/2026', 'Offers/2026/Old offers', 'Archive', 'Archive/Offers of Bob']
  const { rows }: { rows: { path: string; id: string }[] } = (
    await ada.send({ method: 'POST', url: '/api/folders/paths', payload: { paths } })
  ).json()
  ids = Object.fromEntries(rows.map(({ path, id }) => [path, id]))
  for (const path of paths) await addFile(ada, { file_name: `Offer in ${path.replaceAll('/', '-')}.txt`, folder_id: ids[path] })
  await addFile(ada, { file_name: 'Offer at the root.txt' })
})

type Row = { name: string; path: string | undefined }
const joinPath = (path: FolderPath | undefined): string | undefined => path?.map(({ name }) => name).join('/')
const listFiles = async (query: Record<string, string>, person = ada): Promise<Row[]> => {
  const { rows }: { rows: FileRow[] } = (await person.send({ url: `/api/files?${new URLSearchParams(query).toString()}` })).json()
  return rows.map(({ file_name, path }) => ({ name: file_name, path: joinPath(path) }))
}
const listFolders = async (query: Record<string, string>): Promise<Row[]> => {
  const { rows }: { rows: FolderRow[] } = (await ada.send({ url: `/api/folders?${new URLSearchParams(query).toString()}` })).json()
  return rows.map(({ name, path }) => ({ name, path: joinPath(path) }))
}
const below = (id: string | undefined): string => JSON.stringify([{ field: 'below_folder_id', is: [id] }])

test('a search below a folder finds its files and those of all folders below, with their paths', async () => {
  const query = { search: 'offer', sort: 'file_name', filter: below(ids['Offers']) }
  expect(await listFiles(query)).toEqual([
    { name: 'Offer in Offers-2026-Old offers.txt', path: 'Offers/2026/Old offers' },
    { name: 'Offer in Offers-2026.txt', path: 'Offers/2026' },
    { name: 'Offer in Offers.txt', path: 'Offers' },
  ])
  const count = await ada.send({
    url: `/api/files/count?${new URLSearchParams({ search: 'offer', filter: below(ids['Offers']) }).toString()}`,
  })
  expect(count.json()).toEqual({ count: 3, more: false })
})

test('a search of the whole drive has the paths of all files, and the list of the files in one folder has none', async () => {
  expect((await listFiles({ search: 'offer', sort: 'newest' })).map(({ path }) => path)).toEqual([
    '',
    'Archive/Offers of Bob',
    'Archive',
    'Offers/2026/Old offers',
    'Offers/2026',
    'Offers',
  ])
  const filter = JSON.stringify([{ field: 'folder_id', is: [ids['Archive']] }])
  expect(await listFiles({ filter })).toEqual([{ name: 'Offer in Archive.txt', path: undefined }])
})

test('a list of the files in several folders, or of all files without a contact, has paths, and the list of the root folder has none', async () => {
  const listPaths = async (...filter: object[]) => {
    const rows = await listFiles({ sort: 'file_name', filter: JSON.stringify(filter) })
    return rows.map(({ path }) => path)
  }
  expect(await listPaths({ field: 'folder_id', is: [ids['Archive'], ids['Offers']] })).toEqual(['Archive', 'Offers'])
  const withoutContact = { field: 'contact_id', empty: true }
  expect(await listPaths(withoutContact, { field: 'file_name', has: 'archive.txt' })).toEqual(['Archive'])
  expect(await listPaths(withoutContact, { field: 'folder_id', empty: false }, { field: 'file_name', has: 'archive.txt' })).toEqual([
    'Archive',
  ])
  expect(await listPaths(withoutContact, { field: 'folder_id', empty: true })).toEqual([undefined])
})

test('folders are found at any depth, in the whole drive or below a folder, with their paths', async () => {
  expect(await listFolders({ search: 'offers' })).toEqual([
    { name: 'Offers', path: '' },
    { name: 'Offers of Bob', path: 'Archive' },
    { name: 'Old offers', path: 'Offers/2026' },
  ])
  expect(await listFolders({ search: 'offers', below_folder_id: ids['Offers'] ?? '' })).toEqual([
    { name: 'Old offers', path: 'Offers/2026' },
  ])
  expect(await listFolders({ search: 'offers', parent_folder_id: ids['Archive'] ?? '' })).toEqual([
    { name: 'Offers of Bob', path: 'Archive' },
  ])
})

test('below a folder of another user, a search finds no files, and the list of folders is refused', async () => {
  const grace = await signInAs(app, 'grace')
  const { id } = await recordsOf(grace, '/api/folders').add({ name: 'Foreign' })
  await addFile(grace, { file_name: 'Offer of Grace.txt', folder_id: id })
  expect(await listFiles({ search: 'offer', filter: below(id) })).toEqual([])
  expect((await ada.send({ url: `/api/folders?search=offers&below_folder_id=${id}` })).statusCode).toBe(404)
  expect(await listFiles({ search: 'offer', filter: below(ids['Offers']) }, grace)).toEqual([])
})

test('bulk actions and exports include all files below a folder, even if there are very many folders below it', async () => {
  const paths = Array.from({ length: 600 }, (_, index) => `Offers/Many/${index}`)
  await ada.send({ method: 'POST', url: '/api/folders/paths', payload: { paths } })
  await addFileRows(app, ada.id, 3, `'Offer ' || number, 1, '${ids['Offers']}'::uuid`)
  const filter = [{ field: 'below_folder_id', is: [ids['Offers']] }]
  const response = await ada.send({ method: 'POST', url: '/api/files/export', payload: { matching: { search: 'offer', filter } } })
  expect(response.body.trim().split('\n')).toHaveLength(7) // the header, three files of the set-up and three added files
  const payload = { matching: { search: 'offer', filter } }
  expect((await ada.send({ method: 'POST', url: '/api/files/bulk/delete', payload })).statusCode).toBe(204)
  expect(await listFiles({ search: 'offer' })).toHaveLength(3) // in Archive, in the folder in it, and in the root folder
})

test('a search returns only the innermost folders of a long path, so that a page stays below a megabyte', async () => {
  const names = Array.from({ length: 98 }, (_, level) => `${level} `.padEnd(200, '字'))
  const created = await ada.send({ method: 'POST', url: '/api/folders/paths', payload: { paths: [names.join('/')] } })
  await app.tableOwner.query(
    `insert into folders (user_id, name, parent_folder_id) select $1, 'leaf ' || number, $2 from generate_series(1, 200) number`,
    [ada.id, created.json().rows[0].id],
  )
  const response = await ada.send({ url: '/api/folders?search=leaf&limit=200' })
  const { rows }: { rows: FolderRow[] } = response.json()
  expect(rows).toHaveLength(200)
  expect(Buffer.byteLength(response.body)).toBeLessThan(1_000_000)
  for (const { path, is_path_cut } of rows) {
    expect([path?.at(-1)?.name, is_path_cut]).toEqual([names.at(-1), true])
    expect(path?.map(({ name }) => name)).toEqual(names.slice(-(path?.length ?? 0)))
  }
  await addFile(ada, { file_name: 'Note.txt', folder_id: rows[0]?.id })
  const { rows: files }: { rows: FileRow[] } = (await ada.send({ url: '/api/files?search=note' })).json()
  expect([files[0]?.path?.at(-1)?.name, files[0]?.is_path_cut]).toEqual(['leaf 1', true])
})
