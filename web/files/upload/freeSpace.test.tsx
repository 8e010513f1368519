import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setElementSize } from '#web/contacts/testing.ts'
import { problemResponse, setWindowWidth } from '#web/testing.ts'
import { stopAllUploads } from './queue.ts'
import { findPanel, openFolder, place, toAddedFiles, waitUntilAborted } from './testing.ts'
import { uploadFiles } from './uploadFiles.ts'

// parts of 4 bytes, so that short texts have several parts
vi.mock('#contract/uploads.ts', async (importOriginal) => ({ ...(await importOriginal<object>()), partBytes: 4 }))

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})
afterEach(() => {
  stopAllUploads()
})

/** The response of the server about the space of the account, with this number of free bytes. */
const storage = (free: number) => ({
  used_bytes: 1000,
  quota_bytes: 1000 + free,
  file_count: 0,
  trash_bytes: 0,
  upload_bytes: 0,
  groups: [],
  record_bytes: 0,
  record_quota_bytes: 1,
})
/** Creates a file of this number of megabytes. */
const megabytes = (count: number, name: string): File => new File([new Uint8Array(count * 1024 * 1024)], name)

test('files that need more space than is free are refused together before a byte is sent, and the message has both sizes', async () => {
  const server = await openFolder({ 'GET /api/storage': storage(5 * 1024 * 1024) })
  await uploadFiles(place, toAddedFiles(megabytes(3, 'wall.jpg'), megabytes(4, 'door.jpg')))
  expect(await screen.findByText('Not enough space')).toBeTruthy()
  expect(screen.getByText('These 2 files need 7.0 MB; 5.0 MB are free. Files in the trash count too.')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Uploads' })).toBeNull())
  expect([server.uploads.size, server.sentParts]).toEqual([0, []])
})

test('the message for one file has its name, and sizes that would look equal are shown in bytes', async () => {
  await openFolder({ 'GET /api/storage': storage(3 * 1024 * 1024 - 1) })
  await uploadFiles(place, toAddedFiles(megabytes(3, 'wall.jpg')))
  expect(await screen.findByText(/^“wall.jpg” needs 3,145,728 bytes; 3,145,727 bytes are free\./)).toBeTruthy()
})

test('waiting files of this tab reduce the free space for new files', async () => {
  const server = await openFolder({ 'GET /api/storage': storage(20) })
  server.state.onPart = waitUntilAborted
  await uploadFiles(place, toAddedFiles(...['1', '2', '3', '4'].map((name) => new File(['four'], name))))
  await waitFor(() => expect(server.sentParts).toHaveLength(3)) // the fourth file of 4 bytes waits
  await uploadFiles(place, toAddedFiles(new File(['seventeen letters'], 'wall.txt')))
  expect(await screen.findByText(/^“wall.txt” needs 17 B; 16 B are free\./)).toBeTruthy()
  const panel = await findPanel()
  expect(await panel.findByText('Uploading 0 of 4')).toBeTruthy()
})

test('a file that the server refuses for lack of space says how much it needs and how much is free', async () => {
  const server = await openFolder({ 'GET /api/storage': storage(2048), 'POST /api/uploads': () => problemResponse('quota_exceeded') })
  await uploadFiles(place, toAddedFiles(new File(['a text of 1 kB'.padEnd(1024)], 'wall.txt')))
  server.setHandlers({ 'GET /api/storage': storage(512) })
  const panel = await findPanel()
  fireEvent.click(await panel.findByRole('button', { name: 'Retry wall.txt' }))
  expect(await panel.findByText('Needs 1.0 KB; 512 B are free')).toBeTruthy()
})
