// Tests uploads of files whose names are taken, and of folders.
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { drawings, folderRoutes, quillstone, quillstoneAddress, samples, wallFile } from '#web/files/testing.ts'
import { renderApp } from '#web/testing.ts'
import { stopAllUploads } from './queue.ts'
import { readInput } from './readFiles.ts'
import { mockUploadServer } from './testing.ts'
import { uploadFiles } from './uploadFiles.ts'
import { listUploads, updateUpload } from './uploadList.ts'

afterEach(stopAllUploads)

const place = { folder_id: quillstone.id, contact_id: null }
/** Files with these names, as if the user had chosen them. */
const createFiles = (...names: string[]) => ({ files: names.map((name) => ({ file: new File(['four'], name), path: name })), folders: [] })

/** Opens the folder Quillstone Dental. The server says that these names are taken in it. */
async function openWithTakenNames(...taken: string[]) {
  const rows = taken.map((name) => ({
    file_name: name,
    file: { id: wallFile.id, file_name: name, file_size: 4_404_019, created_at: '2026-11-16T15:20:00.000Z' },
    free_name: name.replace('.', ' (2).'),
  }))
  const server = mockUploadServer({ ...folderRoutes, 'POST /api/files/taken-names': { rows } })
  await renderApp(quillstoneAddress)
  await screen.findByRole('heading', { name: 'Quillstone Dental' })
  return server
}

/** The names of the started uploads with what happens to the existing file. */
const startedUploads = (server: Awaited<ReturnType<typeof openWithTakenNames>>): string[] =>
  [...server.uploads.values()].map(({ file_name, if_exists }) => `${file_name}: ${if_exists}`).toSorted()

test('files with a free name start at once; for the others, the dialog offers to keep both files', async () => {
  const server = await openWithTakenNames('wall.jpg', 'door.jpg')
  await uploadFiles(place, createFiles('free.txt', 'wall.jpg', 'door.jpg'))
  const dialog = within(await screen.findByRole('dialog', { name: '“wall.jpg” is already here' }))
  await waitFor(() => expect(server.files.map(({ name }) => name)).toEqual(['free.txt']))
  expect(dialog.getByText('The new one is named “wall (2).jpg”')).toBeTruthy()
  expect(dialog.getByText('4.2 MB · 16 Nov, 15:20')).toBeTruthy()
  fireEvent.click(dialog.getByRole('button', { name: 'Keep both, 2 files' }))
  await waitFor(() => expect(server.files).toHaveLength(3))
  expect(startedUploads(server)).toEqual(['door.jpg: keep_both', 'free.txt: keep_both', 'wall.jpg: keep_both'])
})

test('the user can replace one file and skip another', async () => {
  const server = await openWithTakenNames('wall.jpg', 'door.jpg')
  await uploadFiles(place, createFiles('wall.jpg', 'door.jpg'))
  const first = within(await screen.findByRole('dialog', { name: '“wall.jpg” is already here' }))
  for (const { id } of listUploads()) updateUpload(id, { ifExists: 'replace' }) // the choice of an earlier visit, which began no upload
  fireEvent.click(first.getByRole('checkbox', { name: 'Do the same for the 1 other name that is taken' }))
  fireEvent.click(first.getByRole('radio', { name: /^Replace/ }))
  fireEvent.click(first.getByRole('button', { name: 'Replace' }))
  const second = within(await screen.findByRole('dialog', { name: '“door.jpg” is already here' }))
  fireEvent.click(second.getByRole('radio', { name: /^Skip/ }))
  fireEvent.click(second.getByRole('button', { name: 'Skip' }))
  await waitFor(() => expect(startedUploads(server)).toEqual(['wall.jpg: replace']))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('of two files with the same name that go to the same place, only one replaces the existing file', async () => {
  const server = await openWithTakenNames('wall.jpg', 'door.jpg')
  const named = (path: string) => ({ file: new File(['four'], path.slice(path.lastIndexOf('/') + 1)), path })
  const contact = { folder_id: null, contact_id: wallFile.id } // contacts have no folders
  await uploadFiles(contact, { files: ['jan/wall.jpg', 'feb/wall.jpg', 'door.jpg', 'mar/wall.jpg'].map(named), folders: [] })
  const first = within(await screen.findByRole('dialog', { name: '“wall.jpg” is already here' }))
  fireEvent.click(first.getByRole('radio', { name: /^Replace/ }))
  fireEvent.click(first.getByRole('checkbox', { name: /^Do the same/ }))
  fireEvent.click(first.getByRole('button', { name: 'Replace' }))
  await screen.findByRole('button', { name: 'Keep both, 3 files' }) // the dialog about the next file
  fireEvent.click(screen.getByRole('radio', { name: /^Replace/ }))
  fireEvent.click(screen.getByRole('button', { name: 'Replace, 3 files' }))
  await waitFor(() => expect(server.files).toHaveLength(4))
  expect(startedUploads(server)).toEqual(['door.jpg: replace', 'wall.jpg: keep_both', 'wall.jpg: keep_both', 'wall.jpg: replace'])
})

test('Stop upload cancels all files of the drop that are not uploaded yet', async () => {
  const server = await openWithTakenNames('wall.jpg')
  // the server does not respond to a part until the upload is cancelled
  server.state.onPart = ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)))
  await uploadFiles(place, createFiles('free.txt', 'wall.jpg'))
  await waitFor(() => expect(server.uploads.size).toBe(1))
  fireEvent.click(await screen.findByRole('button', { name: 'Stop upload' }))
  await waitFor(() => expect(server.uploads.size).toBe(0))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Uploads' })).toBeNull())
})

test('the folders of a chosen folder are created, and its files go into them, without files of the operating system', async () => {
  const server = await openWithTakenNames()
  const ids: Record<string, string> = { Photos: drawings.id, 'Photos/before': samples.id }
  server.setHandlers({
    'POST /api/folders/paths': ({ body }) => {
      expect(body).toEqual({ parent_folder_id: quillstone.id, paths: ['Photos', 'Photos/before'] })
      return { rows: Object.entries(ids).map(([path, id]) => ({ path, id })) }
    },
  })
  const files = ['Photos/wall.jpg', 'Photos/before/door.jpg', 'Photos/.DS_Store'].map((path) => {
    const file = new File(['four'], path.slice(path.lastIndexOf('/') + 1))
    return Object.defineProperty(file, 'webkitRelativePath', { value: path })
  })
  await uploadFiles(place, readInput(files))
  await waitFor(() => expect(server.files).toHaveLength(2))
  expect(server.files.map(({ name, folder_id }) => `${name} ${folder_id}`).toSorted()).toEqual([
    `door.jpg ${samples.id}`,
    `wall.jpg ${drawings.id}`,
  ])
})
