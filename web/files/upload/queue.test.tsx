import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { setElementSize } from '#web/contacts/testing.ts'
import { quillstone, quillstoneAddress } from '#web/files/testing.ts'
import { asksBeforeClose, nora, problemResponse, setWindowWidth } from '#web/testing.ts'
import { stopAllUploads } from './queue.ts'
import { findPanel, openFolder, place, toAddedFiles, waitUntilAborted } from './testing.ts'
import { uploadFiles } from './uploadFiles.ts'
import { findUpload, updateUpload } from './uploadList.ts'

// parts of 4 bytes, so that short texts have several parts
vi.mock('#contract/uploads.ts', async (importOriginal) => ({ ...(await importOriginal<object>()), partBytes: 4 }))

beforeEach(() => {
  setElementSize()
  setWindowWidth(1280)
})
afterEach(() => {
  stopAllUploads()
})

test('at most four parts are sent at the same time, and at most three of one file', async () => {
  const server = await openFolder()
  let [running, maxRunning, maxRunningOfOneFile] = [0, 0, 0]
  const runningByFile = new Map<string, number>()
  server.state.onPart = async ({ name }) => {
    running += 1
    maxRunning = Math.max(maxRunning, running)
    const runningOfFile = (runningByFile.get(name) ?? 0) + 1
    runningByFile.set(name, runningOfFile)
    maxRunningOfOneFile = Math.max(maxRunningOfOneFile, runningOfFile)
    await new Promise((resolve) => setTimeout(resolve, 5))
    running -= 1
    runningByFile.set(name, (runningByFile.get(name) ?? 0) - 1)
    return undefined
  }
  const text = 'a text with eleven parts of four bytes each.'
  await uploadFiles(place, toAddedFiles(new File([text], 'one.txt'), new File([text], 'two.txt'), new File([text], 'three.txt')))
  await waitFor(() => expect(server.files.map(({ content }) => content)).toEqual([text, text, text]))
  expect(maxRunning).toBe(4)
  expect(maxRunningOfOneFile).toBeLessThanOrEqual(3)
})

test.each(['unfinished', 'done'] as const)(
  'adding the file of an earlier upload that is %s returns the id of this upload',
  async (status) => {
    const server = await openFolder()
    const file = new File(['four'], 'wall.txt')
    const [id = ''] = await uploadFiles(place, toAddedFiles(file))
    await waitFor(() => expect(findUpload(id)?.status).toBe('done'))
    updateUpload(id, { status, origin: 'earlier visit' })
    expect(await uploadFiles(place, toAddedFiles(file))).toEqual([id])
    await waitFor(() => expect(findUpload(id)?.status).toBe('done'))
    expect(server.files).toHaveLength(1)
  },
)

test('the panel shows the progress of each file and of all files, and a toast says when they are uploaded', async () => {
  const server = await openFolder()
  const { promise, resolve } = Promise.withResolvers<undefined>()
  server.state.onPart = ({ name, progress }) => {
    if (name === 'quick.txt') return undefined
    progress(2) // two of its four bytes are sent
    return promise
  }
  await uploadFiles(place, toAddedFiles(new File(['four'], 'quick.txt'), new File(['four'], 'slow.txt')))
  const panel = await findPanel()
  expect(await panel.findByText('50%')).toBeTruthy()
  expect(await panel.findByText('Uploading 1 of 2')).toBeTruthy()
  expect(panel.getByText('6 of 8 B')).toBeTruthy()
  expect(panel.getByRole('progressbar', { name: 'All uploads' }).getAttribute('value')).toBe('0.75')
  expect(panel.getByRole('link', { name: 'quick.txt' }).getAttribute('href')).toBe(quillstoneAddress)
  resolve(undefined)
  expect(await panel.findByText('2 files uploaded')).toBeTruthy()
  expect(await screen.findByText('2 file(s) uploaded successfully.')).toBeTruthy()
  fireEvent.click(panel.getByRole('button', { name: 'Close uploads' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Uploads' })).toBeNull())
})

test('only a part that was lost or temporarily refused is sent again', async () => {
  const server = await openFolder()
  const failures = ['lost' as const, problemResponse('not_ready'), problemResponse('too_many_requests')]
  // the second of three parts fails three times
  server.state.onPart = ({ number }) => (number === 1 ? failures.shift() : undefined)
  await uploadFiles(place, toAddedFiles(new File(['zeroone-two-'], 'parts.txt')))
  const panel = await findPanel()
  for (const failuresLeft of [2, 1, 0]) {
    await waitFor(() => expect(failures).toHaveLength(failuresLeft))
    expect(await panel.findByText('Connection lost, trying again')).toBeTruthy()
    window.dispatchEvent(new Event('online')) // ends the delay before the next try
  }
  await waitFor(() => expect(server.files).toEqual([{ name: 'parts.txt', content: 'zeroone-two-', folder_id: quillstone.id }]))
  expect(server.sentParts.filter((part) => part === 'parts.txt 1')).toHaveLength(4)
  expect(server.sentParts).toHaveLength(6)
})

test('while the browser is offline, uploads wait; they continue when it is online', async () => {
  const server = await openFolder()
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  server.state.onPart = () => (navigator.onLine ? undefined : 'lost')
  await uploadFiles(place, toAddedFiles(new File(['four'], 'wall.txt')))
  const panel = await findPanel()
  expect(await panel.findByText('Waiting for the connection')).toBeTruthy()
  online.mockReturnValue(true)
  window.dispatchEvent(new Event('online'))
  await waitFor(() => expect(server.files).toHaveLength(1))
})

test('an upload that failed because the connection was lost starts again when the browser is online', async () => {
  const server = await openFolder()
  server.state.onPart = () => 'lost'
  await uploadFiles(place, toAddedFiles(new File(['four'], 'wall.txt')))
  const panel = await findPanel()
  await waitFor(() => {
    const failure = panel.queryByText('Connection lost at 0%')
    if (!failure) window.dispatchEvent(new Event('online')) // ends the delay before the next try, until all tries have failed
    expect(failure).toBeTruthy()
  })
  server.state.onPart = () => undefined
  window.dispatchEvent(new Event('online'))
  await waitFor(() => expect(server.files).toHaveLength(1))
})

test('a paused upload stops its requests, and continues with the parts that are missing', async () => {
  const server = await openFolder()
  server.state.onPart = (part) => (part.number === 0 ? undefined : waitUntilAborted(part))
  await uploadFiles(place, toAddedFiles(new File(['zeroone-'], 'wall.txt')))
  const panel = await findPanel()
  expect(await panel.findByText('50%')).toBeTruthy()
  fireEvent.click(panel.getByRole('button', { name: 'Pause wall.txt' }))
  expect(await panel.findByText('Paused at 0 of 1')).toBeTruthy()
  server.state.onPart = () => undefined
  fireEvent.click(panel.getByRole('button', { name: 'Continue wall.txt' }))
  await waitFor(() => expect(server.files).toEqual([{ name: 'wall.txt', content: 'zeroone-', folder_id: quillstone.id }]))
  expect(server.sentParts).toEqual(['wall.txt 0', 'wall.txt 1', 'wall.txt 1'])
})

test('all uploads can be paused and continued together, also parts that wait for other parts', async () => {
  const server = await openFolder()
  server.state.onPart = waitUntilAborted
  const files = ['1.txt', '2.txt', '3.txt', '4.txt', '5.txt'].map((name) => new File(['zeroone-two-'], name))
  await uploadFiles(place, toAddedFiles(...files))
  const panel = await findPanel()
  await waitFor(() => expect(server.sentParts).toHaveLength(4))
  fireEvent.click(panel.getByRole('button', { name: 'Pause all uploads' }))
  expect(await panel.findByText('Paused at 0 of 5')).toBeTruthy()
  server.state.onPart = () => undefined
  fireEvent.click(panel.getByRole('button', { name: 'Continue all uploads' }))
  await waitFor(() => expect(server.files).toHaveLength(5))
})

test('a cancelled upload leaves the list and is deleted on the server', async () => {
  const server = await openFolder()
  server.state.onPart = waitUntilAborted
  await uploadFiles(place, toAddedFiles(new File(['four'], 'wall.txt')))
  const panel = await findPanel()
  await waitFor(() => expect(server.sentParts).toHaveLength(1))
  fireEvent.click(panel.getByRole('button', { name: 'Cancel wall.txt' }))
  await waitFor(() => expect(server.uploads.size).toBe(0))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Uploads' })).toBeNull())
})

test('when the user closes the panel before all files are uploaded, a dialog asks whether to stop the uploads', async () => {
  const server = await openFolder()
  server.state.onPart = waitUntilAborted
  await uploadFiles(place, toAddedFiles(new File(['four'], 'wall.txt'), new File(['four'], 'door.txt')))
  const panel = await findPanel()
  await waitFor(() => expect(server.sentParts).toHaveLength(2))
  fireEvent.click(panel.getByRole('button', { name: 'Close uploads' }))
  expect(await screen.findByText('2 files have not been uploaded yet. Files that are already uploaded stay in Foyer.')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Stop 2 uploads' }))
  await waitFor(() => expect(server.uploads.size).toBe(0))
})

test.each([
  ['the quota', 'POST /api/uploads', () => problemResponse('quota_exceeded'), 'Not enough space left in your account'],
  ['a full disk', 'POST /api/uploads', () => problemResponse('storage_full'), 'The server has no space left for files'],
  ['a deleted folder', 'POST /api/uploads', () => problemResponse('not_found'), 'The folder was deleted'],
])('after a failure because of %s the panel says why, and Retry starts again', async (_reason, route, fail, message) => {
  const server = await openFolder({ [route]: fail, 'GET /api/folders/{id}': () => problemResponse('not_found') })
  await uploadFiles(place, toAddedFiles(new File(['three parts'], 'wall.txt')))
  const panel = await findPanel()
  expect(await panel.findByText(message)).toBeTruthy()
  expect(await screen.findByText('Upload failed')).toBeTruthy()
  const requestsBefore = server.requestsTo(route).length
  fireEvent.click(panel.getByRole('button', { name: 'Retry wall.txt' }))
  await waitFor(() => expect(server.requestsTo(route)).toHaveLength(requestsBefore + 1))
})

test('a file of one part is sent in one request; after a failure the panel says why, and Retry sends it again', async () => {
  const server = await openFolder()
  server.state.onPart = () => problemResponse('quota_exceeded')
  await uploadFiles(place, toAddedFiles(new File(['four'], 'wall.txt')))
  const panel = await findPanel()
  expect(await panel.findByText('Not enough space left in your account')).toBeTruthy()
  server.state.onPart = () => undefined
  fireEvent.click(panel.getByRole('button', { name: 'Retry wall.txt' }))
  await waitFor(() => expect(server.files).toEqual([{ name: 'wall.txt', content: 'four', folder_id: quillstone.id }]))
  expect(server.requestsTo('POST /api/uploads')).toEqual([])
})

test('a file that cannot be read any more fails with the reason', async () => {
  const server = await openFolder()
  const file = new File(['four'], 'wall.txt')
  server.state.onPart = () => {
    vi.spyOn(Blob.prototype, 'arrayBuffer').mockRejectedValue(new Error('NotReadableError'))
    return 'lost'
  }
  await uploadFiles(place, toAddedFiles(file))
  const panel = await findPanel()
  expect(await panel.findByText('The file was changed or moved on this computer')).toBeTruthy()
})

test('when the session ends during an upload, a dialog asks for the password, and the upload continues', async () => {
  const server = await openFolder({ 'POST /api/session': { ...nora, token: 'a-token' } })
  let isSignedOut = true
  server.state.onPart = () => (isSignedOut ? problemResponse('not_signed_in') : undefined)
  await uploadFiles(place, toAddedFiles(new File(['four'], 'wall.txt')))
  fireEvent.change(await screen.findByLabelText('Password'), { target: { value: 'oak and ash' } })
  isSignedOut = false
  fireEvent.click(screen.getByRole('button', { name: 'Sign In' }))
  await waitFor(() => expect(server.files).toHaveLength(1))
})

test('signing out stops all uploads', async () => {
  const server = await openFolder({ 'DELETE /api/session': undefined, 'GET /api/instance': { sign_up_open: true, sends_mail: true } })
  let isAskedAfterStop: boolean | undefined
  server.state.onPart = async (part) => {
    await waitUntilAborted(part)
    isAskedAfterStop = asksBeforeClose()
    return undefined
  }
  await uploadFiles(place, toAddedFiles(new File(['four'], 'wall.txt')))
  await waitFor(() => expect(server.sentParts).toHaveLength(1))
  fireEvent.click(screen.getByRole('button', { name: 'Sign Out' }))
  await screen.findByRole('heading', { name: 'Welcome Back' })
  expect(isAskedAfterStop).toBe(false) // a reload that follows the end of the session is not stopped
  expect(screen.queryByRole('region', { name: 'Uploads' })).toBeNull()
})

test('while files are uploaded, the browser asks before it closes the page; afterwards it does not ask', async () => {
  const server = await openFolder()
  const { promise, resolve } = Promise.withResolvers<undefined>()
  server.state.onPart = () => promise
  expect(asksBeforeClose()).toBe(false)
  await uploadFiles(place, toAddedFiles(new File(['four'], 'wall.txt')))
  await waitFor(() => expect(asksBeforeClose()).toBe(true))
  resolve(undefined)
  await waitFor(() => expect(asksBeforeClose()).toBe(false))
})
