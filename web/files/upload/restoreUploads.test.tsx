import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { setElementSize } from '#web/contacts/testing.ts'
import { folderRoutes, quillstone, quillstoneAddress } from '#web/files/testing.ts'
import { problemResponse, renderApp, setWindowWidth } from '#web/testing.ts'
import { stopAllUploads } from './queue.ts'
import { restoreUploads } from './restoreUploads.ts'
import { mockUploadServer, toAddedFiles, waitUntilAborted } from './testing.ts'
import { uploadFiles } from './uploadFiles.ts'
import { listUploads } from './uploadList.ts'

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})
afterEach(() => {
  stopAllUploads()
})

const place = { folder_id: quillstone.id, contact_id: null }
/** An unfinished upload of another browser: the first of three parts is stored. */
const otherUpload = {
  id: '01930000-0000-7000-8000-000000000701',
  created_at: '2026-11-21T09:00:00.000Z',
  expires_at: '2026-11-28T09:00:00.000Z',
  file_name: 'from the phone.mp4',
  file_size: 10,
  mime_type: 'video/mp4',
  ...place,
  if_exists: 'keep_both' as const,
  part_size: 4,
  part_count: 3,
  parts: [0],
  file_id: null,
}

async function openWithOtherUpload() {
  const server = mockUploadServer(folderRoutes)
  server.uploads.set(otherUpload.id, otherUpload)
  await renderApp(quillstoneAddress)
  const panel = within(await screen.findByRole('region', { name: 'Uploads' }))
  expect(await panel.findByText('1 upload from another browser or an earlier visit')).toBeTruthy()
  return { server, panel }
}

test('an unfinished upload of another browser is shown in Files, and can be discarded', async () => {
  const { server, panel } = await openWithOtherUpload()
  expect(panel.getByText('1 upload not finished')).toBeTruthy()
  fireEvent.click(panel.getByRole('button', { name: 'Discard from the phone.mp4' }))
  await waitFor(() => expect(server.uploads.size).toBe(0))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Uploads' })).toBeNull())
})

test('the user finishes an upload of another browser by choosing the same file, and all its parts are sent again', async () => {
  const { server, panel } = await openWithOtherUpload()
  const choose = (...files: File[]) => {
    fireEvent.click(panel.getByRole('button', { name: 'Choose the file' }))
    fireEvent.change(screen.getByLabelText('Files to upload'), { target: { files } })
  }
  choose(new File(['longer than it was'], 'from the phone.mp4'))
  expect(await screen.findByText('These files are not among the unfinished uploads')).toBeTruthy()
  choose(new File(['ten bytes.'], 'from the phone.mp4'))
  expect(await panel.findByText('1 file uploaded')).toBeTruthy()
  expect(server.files).toEqual([{ name: 'from the phone.mp4', content: 'ten bytes.', folder_id: quillstone.id }])
  expect(server.sentParts).toHaveLength(3)
})

test('closing the panel stops the uploads of this browser, and those of another browser only leave the list', async () => {
  const { server, panel } = await openWithOtherUpload()
  server.state.onPart = waitUntilAborted
  await uploadFiles(place, toAddedFiles(new File(['four'], 'wall.txt')))
  await waitFor(() => expect(server.sentParts).toEqual(['wall.txt 0']))
  await panel.findByText('wall.txt')
  fireEvent.click(panel.getByRole('button', { name: 'Close uploads' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Stop 1 upload' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Uploads' })).toBeNull())
  await waitFor(() => expect([...server.uploads.keys()]).toEqual([otherUpload.id]))
})

test('the panel with only uploads of another browser closes at once, and deletes nothing', async () => {
  const { server, panel } = await openWithOtherUpload()
  fireEvent.click(panel.getByRole('button', { name: 'Close uploads' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Uploads' })).toBeNull())
  expect(server.requestsTo('DELETE /api/uploads/{id}')).toEqual([])
})

test('unfinished uploads that the server lists after the user has signed out are not shown', async () => {
  const list = Promise.withResolvers<object>()
  const server = mockUploadServer({
    ...folderRoutes,
    'GET /api/uploads': () => list.promise,
    'DELETE /api/session': undefined,
    'GET /api/instance': { sign_up_open: true, sends_mail: true },
  })
  await renderApp(quillstoneAddress)
  await waitFor(() => expect(server.requestsTo('GET /api/uploads')).toHaveLength(1))
  const restored = restoreUploads() // the page has called it before, so it returns the promise of that call
  fireEvent.click(await screen.findByRole('button', { name: 'Sign Out' }))
  await screen.findByRole('heading', { name: 'Welcome Back' })
  list.resolve({ rows: [otherUpload] })
  await restored
  expect(listUploads()).toEqual([])
})

test('a folder whose name the server refuses is not uploaded, and a toast says why', async () => {
  const server = mockUploadServer({
    ...folderRoutes,
    'POST /api/folders/paths': () => problemResponse('invalid', { fields: { 'paths.0': 'At most 200 characters' } }),
  })
  await renderApp(quillstoneAddress)
  await screen.findByRole('heading', { name: 'Quillstone Dental' })
  const file = Object.defineProperty(new File(['four'], 'wall.jpg'), 'webkitRelativePath', { value: `${'a'.repeat(201)}/wall.jpg` })
  fireEvent.click(screen.getByRole('button', { name: 'Upload' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Folder' }))
  fireEvent.change(screen.getByLabelText('Folder to upload'), { target: { files: [file] } })
  expect(await screen.findByText('At most 200 characters')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Uploads' })).toBeNull())
  expect(server.uploads.size).toBe(0)
})

test('files that are dropped outside of the drop targets do not replace the page', async () => {
  mockUploadServer(folderRoutes)
  await renderApp(quillstoneAddress)
  const link = await screen.findByRole('link', { name: 'Contacts' })
  expect(fireEvent.drop(link, { dataTransfer: { types: ['Files'], items: [] } })).toBe(false) // the default action was prevented
  expect(fireEvent.drop(link, { dataTransfer: { types: ['text/plain'] } })).toBe(true)
})
